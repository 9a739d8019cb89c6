import { createHash } from 'node:crypto'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openReader } from '../../../src/adapters/reader-model/open-reader.ts'
import { EmbeddingModelError } from '../../../src/retrieval/rank/embedding-model-error.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { smallReader } from './small-reader.ts'

type Card = { [field: string]: unknown }

const cardOf = (folder: string): Card => JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'))
const writeCard = (folder: string, card: Card): void =>
  writeFileSync(join(folder, 'model.json'), JSON.stringify(card))

/** Changes a file, and the card's checksum with it. */
function rewrite(folder: string, part: 'weights' | 'vocabulary', change: (bytes: Buffer) => Buffer): void {
  const card = cardOf(folder)
  const files = card.files as { [part: string]: { file: string; sha256: string } }
  const { file } = files[part]!
  const bytes = change(readFileSync(join(folder, file)))
  writeFileSync(join(folder, file), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  writeCard(folder, { ...card, files: { ...files, [part]: { file, sha256 } } })
}

/** What opening the folder fails with: always the one kind of error, with a way out. */
function refusal(folder: string): string {
  try {
    openReader(folder)
  } catch (error) {
    expect(error).toBeInstanceOf(EmbeddingModelError)
    expect((error as EmbeddingModelError).remedy).toMatch(/reader/)
    return (error as EmbeddingModelError).message
  }
  throw new Error('It was opened.')
}

describe('a reader opened from its folder', () => {
  test('reads texts, those of cards longer than those of queries, each the same in any company', async () => {
    const reader = openReader(smallReader(), { threads: 2 })
    expect(reader).toMatchObject({ name: 'random', dimensions: 48 })
    const texts = Array.from({ length: 70 }, (_, at) => `read the file ${at}`)
    const cards = reader.encodeCards(texts)
    expect(cards.slice(0, 9)).toEqual(texts.slice(0, 9).map(reader.encodeQuery))
    const long = ['read the file '.repeat(20), 'weather']
    expect(reader.encodeQueries(long)).toEqual(long.map(reader.encodeQuery))
    expect(reader.encodeQueries(long)).not.toEqual(reader.encodeCards(long))
    expect(Math.hypot(...cards[0]!)).toBeCloseTo(1, 6)
    await reader.close()
    expect(reader.encodeCards(texts.slice(0, 2))).toEqual(cards.slice(0, 2))
    await reader.close()
  })
})

describe('a folder that is no whole reader is refused, with file and field named', () => {
  test.each(['model.json', 'weights.safetensors', 'vocabulary.txt'])('%s is missing', (file) => {
    const folder = smallReader()
    rmSync(join(folder, file))
    const message = refusal(folder)
    expect(message).toContain(`${join(folder, file)} cannot be read`)
    expect(message).toContain('ENOENT')
  })

  test('there is no folder', () => {
    expect(refusal(join(temporaryFolder(), 'nothing'))).toContain('model.json cannot be read')
  })

  test.each(['weights.safetensors', 'vocabulary.txt'])('%s is changed, cut off, or empty', (file) => {
    const changed = smallReader()
    const bytes = readFileSync(join(changed, file))
    bytes[bytes.length - 2]! ^= 1
    writeFileSync(join(changed, file), bytes)
    expect(refusal(changed)).toBe(`${join(changed, file)}: the checksum is not the one of the card.`)
    for (const length of [100, 0]) {
      const cut = smallReader()
      truncateSync(join(cut, file), length)
      expect(refusal(cut)).toContain(`${file}: the checksum`)
    }
  })

  test('the card is not JSON, or nothing', () => {
    for (const text of ['{', '', 'null']) {
      const folder = smallReader()
      writeFileSync(join(folder, 'model.json'), text)
      expect(refusal(folder)).toMatch(/model\.json: /)
    }
  })

  test.each([
    { field: 'format', value: 'audition-reader/2' },
    { field: 'name', value: 'a b' },
    { field: 'layers', value: 0 },
    { field: 'hidden', value: 47 },
    { field: 'heads', value: 5 },
    { field: 'intermediate', value: 100 },
    { field: 'positions', value: 1 },
    { field: 'tokens', value: 1.5 },
    { field: 'epsilon', value: 0 },
    { field: 'queryLimit', value: 41 },
    { field: 'cardLimit', value: 1 },
    { field: 'files', value: {} },
  ])('$field is $value', ({ field, value }) => {
    const folder = smallReader()
    writeCard(folder, { ...cardOf(folder), [field]: value })
    expect(refusal(folder)).toContain(`${join(folder, 'model.json')}, ${field}`)
    const { [field]: _, ...rest } = cardOf(folder)
    writeCard(folder, rest)
    expect(refusal(folder)).toContain(`model.json, ${field}`)
  })

  test.each([
    { part: 'weights', more: { file: '../weights.safetensors' }, names: 'files.weights.file' },
    { part: 'vocabulary', more: { sha256: 'ABC' }, names: 'files.vocabulary.sha256' },
  ])('a file outside the folder, or no checksum: $names', ({ part, more, names }) => {
    const folder = smallReader()
    const card = cardOf(folder)
    const files = card.files as { [part: string]: object }
    writeCard(folder, { ...card, files: { ...files, [part]: { ...files[part], ...more } } })
    expect(refusal(folder)).toContain(`model.json, ${names}`)
  })

  test.each([
    { field: 'layers', value: 3, says: 'there is no tensor "layers.2.attention.query.weight".' },
    {
      field: 'hidden',
      value: 64,
      says: 'embeddings.word: is I8 [112, 48], and the model needs I8 [112, 64].',
    },
    {
      field: 'positions',
      value: 41,
      says: 'embeddings.position: is F32 [40, 48], and the model needs F32 [41, 48].',
    },
    { field: 'intermediate', value: 192, says: 'layers.0.intermediate.weight: is I8 [96, 48]' },
  ])('the weights are of other sizes: $field', ({ field, value, says }) => {
    const folder = smallReader()
    writeCard(folder, { ...cardOf(folder), [field]: value })
    expect(refusal(folder)).toContain('weights.safetensors')
    expect(refusal(folder)).toContain(says)
  })

  test('the vocabulary has another number of pieces, or lacks one that is needed', () => {
    const longer = smallReader()
    rewrite(longer, 'vocabulary', (bytes) => Buffer.concat([bytes, Buffer.from('more\n')]))
    expect(refusal(longer)).toContain('vocabulary.txt: has 113 pieces, and "tokens" of the card is 112.')
    const other = smallReader()
    rewrite(other, 'vocabulary', (bytes) => Buffer.from(bytes.toString().replace('[CLS]', 'cls')))
    expect(refusal(other)).toContain('vocabulary.txt: there is no line "[CLS]".')
  })

  test('the weights are cut off, or no safetensors, though their checksum is right', () => {
    const cut = smallReader()
    rewrite(cut, 'weights', (bytes) => bytes.subarray(0, bytes.length - 4))
    expect(refusal(cut)).toMatch(/weights\.safetensors, .*: is cut off/)
    const empty = smallReader()
    rewrite(empty, 'weights', () => Buffer.alloc(0))
    expect(refusal(empty)).toMatch(/weights\.safetensors: is cut off before the end of its header/)
  })
})
