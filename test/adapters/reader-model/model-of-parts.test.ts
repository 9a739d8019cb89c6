import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { type PlainModel, cardText } from '../../../src/adapters/reader-model/model-of-parts.ts'
import { openReader } from '../../../src/adapters/reader-model/open-reader.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { keepsTheEmbeddingModelContract } from '../../contracts/embedding-model.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { type TwoPartsOptions, twoParts } from '../../fakes/two-parts.ts'
import { writeSmallReader } from './small-reader.ts'

const reader = mkdtempSync(join(tmpdir(), 'audition-'))
writeSmallReader(reader)
afterAll(() => rmSync(reader, { recursive: true, force: true }))

/** @param options - `readings`: those of an earlier model */
const modelWith = (options: Partial<TwoPartsOptions> = {}): PlainModel =>
  twoParts({ reader, readings: join(temporaryFolder(), 'readings.bin'), ...options })

describe('a model of two parts', () => {
  const readings = mkdtempSync(join(tmpdir(), 'audition-'))
  afterAll(() => rmSync(readings, { recursive: true, force: true }))
  keepsTheEmbeddingModelContract(async () => twoParts({ reader, readings: join(readings, 'a.bin') }))
})

const cards = [
  ...Array.from({ length: 70 }, (_, at) => toolCard(`a/read_file${at}`)),
  agentCard('a/guide', { description: 'reads leases' }),
]
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * b[axis]!, 0)

describe('the vectors of two parts', () => {
  test('are those of the embedding and of the reader, side by side', async () => {
    const model = modelWith()
    const { plain, parts } = model
    const whole = await model.embedCards(cards)
    const first = await plain!.embed(
      cards.map(({ name, description }) => `${name}\n${description}`),
      'document',
    )
    const second = openReader(reader).encodeCards(cards.map(cardText))
    expect([parts, model.dimensions, whole.length]).toEqual([[8, 48], 56, cards.length])
    for (const [place, vector] of whole.entries()) {
      expect(cosine(vector.subarray(0, 8), first[place]!)).toBeCloseTo(Math.SQRT1_2, 5)
      // What is kept of a card is rounded.
      expect(cosine(vector.subarray(8), second[place]!)).toBeCloseTo(Math.SQRT1_2, 3)
    }
    const [query] = await model.embed(['read the file'], 'query')
    expect(cosine(query!.subarray(8), openReader(reader).encodeQuery('read the file'))).toBeCloseTo(
      Math.SQRT1_2,
      6,
    )
  })

  test('of a request are read once while it is searched for, and are the same', async () => {
    const asked: string[] = []
    const model = modelWith({ onAsk: (texts) => asked.push(...texts) })
    const [first] = await model.embed(['read it and send it', 'read it', 'and send it'], 'query')
    const [step, again] = await model.embed(['and send it', 'read it and send it'], 'query')
    expect(asked).toEqual(['read it and send it', 'read it', 'and send it'])
    expect(again).toEqual(first)
    expect(cosine(step!.subarray(8), openReader(reader).encodeQuery('and send it'))).toBeCloseTo(
      Math.SQRT1_2,
      6,
    )
    const others = Array.from({ length: 12 }, (_, at) => `another ${at}`)
    await model.embed(others, 'query')
    await model.embed(['read it and send it'], 'query')
    expect(asked).toEqual([...asked.slice(0, 3), ...others, 'read it and send it'])
  })

  test('are the same, to the last bit, whether the cards were read before or not', async () => {
    const counts: number[] = []
    const readings = join(temporaryFolder(), 'readings.bin')
    const onRead = (texts: number): void => void counts.push(texts)
    const before = await modelWith({ readings, onRead }).embedCards(cards)
    const again = await modelWith({ readings, onRead }).embedCards(cards)
    expect(again).toEqual(before)
    expect(counts).toEqual([64, 7])
    const unkept = await modelWith({ readings: '/nowhere/\0', onRead }).embedCards(cards)
    expect(unkept).toEqual(before)
    expect(counts).toEqual([64, 7, 64, 7])
  })

  test('of equal cards are read once', async () => {
    const counts: number[] = []
    const model = modelWith({ onRead: (texts) => counts.push(texts) })
    const twin = toolCard('b/read_file1', { server: 'a' })
    const vectors = await model.embedCards([cards[1]!, cards[1]!, twin])
    expect(vectors[1]).toEqual(vectors[0])
    expect(counts).toEqual([2])
  })

  test('let others have the thread between two steps', async () => {
    const model = modelWith()
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    })
    await model.embedCards(cards)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })
})

test('the reader is opened by what is read, and by nothing else', async () => {
  let opened = 0
  const model = modelWith({ onOpen: () => (opened += 1) })
  const tools = cards.slice(0, 3)
  const snapshot = await memorySnapshot(tools, model.plain!)
  const request = { kind: 'tool', query: 'read the file' } as const
  for (const ranker of ['lexical', 'hybrid'] as const)
    await search({ snapshot, model: model.plain! }, { ...request, ranker })
  await model.embed([], 'query')
  await model.embedCards([])
  expect(opened).toBe(0)
  await model.embed(['read the file'], 'query')
  await model.embed(['write the file'], 'query')
  expect(opened).toBe(1)
  await model.close()
})

test('an id tells the embedding and the reader', () => {
  expect(modelWith().id).toBe('static:small-2@scattered+abababababab')
})

describe('where there are more cards of a kind than are read', () => {
  test('theirs have the first part alone, and those of the other kind have both', async () => {
    const counts: number[] = []
    const model = modelWith({ mostCards: 69, onRead: (texts) => counts.push(texts) })
    const { indexes } = await memorySnapshot(cards, model)
    expect(indexes.tool.vectors!.held).toEqual([70, 0])
    expect(indexes.agent.vectors!.held).toEqual([1, 1])
    expect(counts).toEqual([1])
    const [query] = await model.embed(['read_file3\nDoes a/read_file3'], 'query')
    const { parts } = indexes.tool.vectors!.scored(query!, null)
    const best = parts[0]!.best(1)
    expect(indexes.tool.ids.at(best.documents[0]!)).toBe('a/read_file3')
    expect(best.scores[0]).toBeCloseTo(1, 2)
    expect(parts[1]!.best(9).documents).toHaveLength(0)
  })
})
