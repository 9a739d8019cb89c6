import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { DocumentError, documentFromText, openDocument } from '../../src/catalog/source-document.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-document-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, contents: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, contents)
  return path
}

const problemOf = (path: string) => {
  try {
    openDocument(path, 'label')
  } catch (error) {
    if (error instanceof DocumentError) return error.problem
    throw error
  }
  throw new Error('expected the document to be refused')
}

describe.skipIf(process.platform === 'win32')('what may never end', () => {
  test('a pipe that nobody writes to, and a device that gives zeros, are refused at once', () => {
    const pipe = join(folder, 'pipe.json')
    execFileSync('mkfifo', [pipe])
    for (const path of [pipe, '/dev/zero'])
      expect(problemOf(path).message).toBe('is a pipe or a device, which may never end')
  })
})

describe('openDocument', () => {
  test('reads text and takes the byte-order mark off', () => {
    const path = fileOf('plain.json', '\ufeff{"name": "ä"}')
    const document = openDocument(path)
    expect(document).toMatchObject({ path, label: path, text: '{"name": "ä"}' })
    expect(document.json()).toEqual({ name: 'ä' })
  })

  test('unpacks gzip by its first bytes, whatever the name', () => {
    expect(openDocument(fileOf('packed.bin', gzipSync('hello'))).text).toBe('hello')
    expect(openDocument(fileOf('not-packed.gz', 'hello')).text).toBe('hello')
  })

  test.each([
    { why: 'bytes are zero', name: 'a.png', contents: new Uint8Array([80, 0, 80]), message: 'binary' },
    { why: 'bytes are not UTF-8', name: 'b.md', contents: new Uint8Array([0x61, 0xff]), message: 'UTF-8' },
    { why: 'gzip is cut', name: 'c.gz', contents: gzipSync('hello').subarray(0, 12), message: 'damaged' },
  ])('refuses with file, reason and remedy when $why', ({ name, contents, message }) => {
    const problem = problemOf(fileOf(name, contents))
    expect(problem).toMatchObject({ severity: 'error', file: 'label' })
    expect(problem.message).toContain(message)
    expect(problem.remedy).not.toBe('')
  })

  test('refuses what is missing, a folder, or too large', () => {
    expect(problemOf(join(folder, 'missing')).message).toContain('does not exist')
    expect(problemOf(folder).message).toContain('folder')
    const large = fileOf('large.jsonl', '')
    truncateSync(large, 257 * 1024 * 1024) // sparse: takes no room
    expect(problemOf(large).message).toContain('257 MB')
  })
})

describe('json', () => {
  test.each([
    { why: 'it is plain', text: '[1, {"a": null}]', expected: [1, { a: null }] },
    { why: 'it has comments', text: '// hosts\n{"a": 1, /* why */ "b": 2}', expected: { a: 1, b: 2 } },
    { why: 'it has trailing commas', text: '{"a": [1, 2,],}', expected: { a: [1, 2] } },
    { why: 'it is JSON Lines', text: '{"a": 1}\n{"a": 2}\n', expected: undefined },
    { why: 'it is Markdown', text: '- [link](x)', expected: undefined },
    { why: 'it is cut', text: '{"a": 1', expected: undefined },
    { why: 'it is nested without end', text: '['.repeat(200_000), expected: undefined },
  ])('gives $expected when $why', ({ text, expected }) => {
    expect(documentFromText('x.json', text).json()).toEqual(expected)
  })

  test('parses once', () => {
    const document = documentFromText('x.json', '{"a": 1}')
    expect(document.json()).toBe(document.json())
  })
})

describe('yaml', () => {
  test('reads one document, with merge keys, and leaves dates as text', () => {
    const text = 'base: &b {model: m}\nagent: {<<: *b, since: 2025-01-31}\n'
    expect(documentFromText('x.yaml', text).yaml()).toMatchObject({
      agent: { model: 'm', since: '2025-01-31' },
    })
  })

  test.each([
    { why: 'there are two documents', text: 'a: 1\n---\nb: 2\n' },
    { why: 'an unquoted value holds a colon', text: 'a: b: c' },
    { why: 'it is empty', text: '' },
    {
      why: 'aliases multiply it to billions of values',
      text: `a0: &a0 [x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]`).join('\n')}`,
    },
  ])('gives undefined when $why', ({ text }) => {
    expect(documentFromText('x.yaml', text).yaml()).toBeUndefined()
  })
})

test('no text makes json() or yaml() throw', () => {
  const pieces = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('{', '[', '"a":', '- ', '&a ', '*a', '\n', '---')),
  )
  fc.assert(
    fc.property(pieces, (parts) => {
      const document = documentFromText('x', parts.join(''))
      document.json()
      document.yaml()
    }),
  )
})
