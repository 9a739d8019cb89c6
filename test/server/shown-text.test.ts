import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardUri, idOfParts } from '../../src/server/answers/uris.ts'
import { inputSchemaOf } from '../../src/server/forms/input-schema.ts'
import { clip, oneLine, quoted, quotedList, shownLocation, withoutPaths } from '../../src/server/text.ts'
import { signatureOf } from '../../src/server/forms/signature.ts'
import { toolCard } from '../fakes/fake-audition.ts'

describe('paths of the machine', () => {
  test.each([
    { text: 'node /home/me/servers/a.js --port 1', shown: 'node …/a.js --port 1' },
    { text: 'cannot open "/var/lib/x/y.lance": denied', shown: 'cannot open "…/y.lance": denied' },
    { text: 'uvx --from=/opt/tools/x/ run', shown: 'uvx --from=…/ run' },
    { text: 'C:\\Users\\me\\a.exe and ~/bin/b', shown: '…/a.exe and …/b' },
    { text: 'file:///home/me/a.js:1:2', shown: '…/a.js:1:2' },
    {
      text: 'https://example.com/a/b and s3://bucket/key/x',
      shown: 'https://example.com/a/b and s3://bucket/key/x',
    },
    {
      text: 'npx -y @scope/package and/or ./relative/file',
      shown: 'npx -y @scope/package and/or ./relative/file',
    },
  ])('$text is shown as $shown', ({ text, shown }) => {
    expect(withoutPaths(text)).toBe(shown)
  })

  test.each([
    { location: '/home/me/.mcp.json', shown: '.mcp.json' },
    { location: 'C:\\Users\\me\\agents\\a.md', shown: 'a.md' },
    { location: '/home/me/.mcp.json#github', shown: '.mcp.json#github' },
    { location: 'https://example.com/.well-known/agent-card.json', shown: undefined },
    { location: 'file:///home/me/a.md', shown: 'a.md' },
  ])('the location $location is shown as $shown', ({ location, shown = location }) => {
    expect(shownLocation(location)).toBe(shown)
  })
})

describe('text of cards', () => {
  test('is cut between characters, never within one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          const cut = clip(text, most)
          expect([...cut].length).toBeLessThanOrEqual(most)
          expect(cut === text || cut.endsWith('…')).toBe(true)
          expect(cut).not.toMatch(/\p{Cs}/u)
        },
      ),
    )
  })

  test('says that it was cut, however much was left out', () => {
    expect(oneLine('word '.repeat(1_000_000), 20)).toBe('word word word word…')
    expect(oneLine(`short${'\u200b'.repeat(100_000)}end`, 20)).toBe('short…')
    expect(oneLine(`${'\n'.repeat(100_000)}late`, 20)).toBe('late')
  })

  test('keeps within its quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const said = quoted(text)
        expect(said).not.toMatch(/[\n\r\u0000-\u001f]/)
        expect(JSON.parse(said)).toBe(oneLine(text, 120))
      }),
    )
  })

  test('in lists is counted past the last one shown', () => {
    expect(quotedList(['a', 'b', 'c'], 2)).toBe('"a", "b" and 1 more')
    expect(quotedList(['a'], 2)).toBe('"a"')
  })
})

test('every id is found again by its address, and the address has two parts', () => {
  const part = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/\p{Cs}/u.test(text))
  const source = part.filter((text) => !text.includes('/'))
  fc.assert(
    fc.property(source, part, (from, key) => {
      const uri = cardUri('tool', `${from}/${key}`)
      const [, sourcePart = '', keyPart = ''] = /^audition:\/\/tools\/([^/,]+)\/([^/,]+)$/.exec(uri) ?? []
      expect(idOfParts(sourcePart, keyPart)).toBe(`${from}/${key}`)
    }),
  )
})

test('a tool without schema gets one of its parameters; inner ones are part of their outer one', () => {
  const card = toolCard('a/b', {
    parameters: [
      { name: 'limit', description: '', type: 'int', required: false },
      { name: 'address', description: 'Where', type: 'object', required: true },
      { name: 'address.city', description: 'City', type: 'string', required: true },
      { name: 'file.name', description: '', type: 'string', required: false },
    ],
  })
  expect(inputSchemaOf(card)).toEqual({
    type: 'object',
    properties: {
      limit: { type: 'integer' },
      address: { type: 'object', description: 'Where' },
      'file.name': { type: 'string' },
    },
    required: ['address'],
  })
  expect(signatureOf(card, 'all')).toBe('address: object; limit?: integer; file.name?: string')
  expect(inputSchemaOf(toolCard('a/b'))).toBeUndefined()
})
