import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHash, identify, keyOf, sourceIdOf } from '../../src/catalog/identity.ts'
import type { CardDraft } from '../../src/catalog/ports.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const origin = { reader: 'fake', location: '/home/someone/cards.json' }

const toolDraft = (name: string, parts: Partial<CardDraft> = {}): CardDraft =>
  ({
    kind: 'tool',
    name,
    description: `Does ${name}`,
    examples: [],
    tags: [],
    parameters: [],
    ...parts,
  }) as CardDraft

const agentDraft = (name: string, tools: readonly string[]): CardDraft => ({
  kind: 'agent',
  agentKind: 'toolkit',
  name,
  description: '',
  examples: [],
  tags: [],
  backbone: null,
  tools: tools.map((tool) => ({ name: tool })),
  policy: {},
})

const identified = (...drafts: readonly CardDraft[]) =>
  identify(
    'source',
    drafts.map((draft) => ({ draft, origin })),
  )

test('a server and a tool of its own name stay apart without a word; two tools of one name are told', () => {
  const { cards, problems } = identified(toolDraft('twice'), agentDraft('twice', ['twice']))
  expect(cards.map(({ id, kind }) => [id, kind])).toEqual([
    ['source/twice', 'tool'],
    ['source/twice~2', 'agent'],
  ])
  expect(problems).toEqual([])
  const tools = identified(toolDraft('twice'), toolDraft('twice', { description: 'Does another thing' }))
  expect(tools.problems).toMatchObject([{ message: expect.stringContaining('"source/twice~2"') }])
})

describe('a key', () => {
  test.each([
    { name: 'get_user', key: 'get_user', why: 'stays as published' },
    { name: '  Lease   reviewer\n', key: 'Lease-reviewer', why: 'has dashes for spaces' },
    { name: 'a/b\\c', key: 'a-b-c', why: 'holds no slash' },
    { name: 'bell\u0007\u200bzero', key: 'bellzero', why: 'holds no control or format character' },
    { name: 'e\u0301', key: '\u00e9', why: 'is composed' },
    { name: '查询天气', key: '查询天气', why: 'may be of any script' },
    { name: ' \u0000 ', key: 'unnamed', why: 'is never empty' },
    { name: 'x'.repeat(500), key: 'x'.repeat(200), why: 'has at most 200 characters' },
  ])('$why', ({ name, key }) => {
    expect(keyOf(name)).toBe(key)
  })

  test('of any text is well-formed, short, and a key of itself; a source id separates nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        for (const key of [keyOf(name), sourceIdOf(name)]) {
          expect(key).not.toBe('')
          expect(key.length).toBeLessThanOrEqual(200)
          expect(key.isWellFormed()).toBe(true)
          expect(key).not.toMatch(/[/\\\s]/)
        }
        expect(keyOf(keyOf(name))).toBe(keyOf(name))
        expect(sourceIdOf(name)).not.toMatch(/[#?:]/)
      }),
    )
  })
})

describe('a content hash', () => {
  test('does not depend on where the card was read, and depends on all it says', () => {
    const card = toolCard('a/one')
    expect(contentHash({ ...card, provenance: { reader: 'other', location: '/elsewhere' } })).toBe(
      contentHash(card),
    )
    for (const parts of [
      { description: 'x' },
      { id: 'a/two' },
      { tags: ['x'] },
      { title: 'x' },
      { server: 'x' },
    ]) {
      expect(contentHash({ ...card, ...parts })).not.toBe(contentHash(card))
    }
  })
})

describe('drafts of one source', () => {
  test('that differ under one key are told apart in the order they come, with a warning each', () => {
    const { cards, problems } = identified(
      toolDraft('run'),
      toolDraft('run', { description: 'other' }),
      toolDraft('r u n', { key: 'run', description: 'third' }),
    )
    expect(cards.map(({ id, description }) => [id, description])).toEqual([
      ['source/run', 'Does run'],
      ['source/run~2', 'other'],
      ['source/run~3', 'third'],
    ])
    expect(problems).toHaveLength(2)
    for (const { severity, file } of problems) expect([severity, file]).toEqual(['warning', origin.location])
  })

  test('that say the same under one key are one card, however often and in whatever order', () => {
    const { cards, problems } = identified(
      toolDraft('run'),
      toolDraft('run', { description: 'other' }),
      toolDraft('run'),
      toolDraft('run', { description: 'other' }),
    )
    expect(cards.map(({ id }) => id)).toEqual(['source/run', 'source/run~2'])
    expect(problems).toHaveLength(1)
  })

  test('have distinct ids, whatever they are called', () => {
    const names = fc.array(fc.constantFrom('a', 'a~2', 'a~3', 'A', 'b c', 'b-c', 'b/c', '~2', ''), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(names, (all) => {
        const { cards } = identified(
          ...all.map((name, place) => toolDraft(name, { description: `${place}` })),
        )
        expect(new Set(cards.map(({ id }) => id)).size).toBe(all.length)
      }),
    )
  })

  test('lead agents to the tools of the same source', () => {
    const { cards } = identified(
      agentDraft('kit', ['read file', 'missing', 'kit']),
      toolDraft('read file'),
      toolDraft('kit', { key: 'other' }),
    )
    expect(cards[0]).toMatchObject({
      tools: [{ name: 'read file', id: 'source/read-file' }, { name: 'missing' }, { name: 'kit' }],
    })
    expect(cards[0]).not.toMatchObject({ tools: [{}, { id: expect.anything() }, {}] })
  })

  test('keep what the reader noted of their origin', () => {
    const { cards } = identified(toolDraft('run', { details: { licence: 'MIT' } }))
    expect(cards[0]?.provenance).toEqual({ ...origin, details: { licence: 'MIT' } })
  })
})
