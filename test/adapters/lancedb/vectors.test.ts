import { describe, expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import { embedCards, removeVectors } from '../../../src/adapters/lancedb/embed-cards.ts'
import {
  freshVectorTable,
  indexVectors,
  nearestIds,
  putVectors,
} from '../../../src/adapters/lancedb/vectors.ts'
import { prune, settle } from '../../../src/adapters/lancedb/versions.ts'
import { byScoreThenId } from '../../../src/domain/ranking.ts'
import { stateOf } from '../../contracts/catalog.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { commit, freshReader, storeFolder } from './stores.ts'

test('only new and changed cards are embedded', async () => {
  const home = storeFolder()
  const embedded: string[] = []
  const model = scatteredModel({
    onEmbed: (texts, role) => embedded.push(...texts.map((text) => `${role}: ${text.split('\n')[0]}`)),
  })
  await commit(home, { put: [toolCard('a/one'), toolCard('a/two')] }, { model })
  expect(embedded.splice(0)).toEqual(['document: one', 'document: two'])
  await commit(home, { put: [toolCard('a/two', { description: 'new' }), toolCard('a/three')] }, { model })
  expect(embedded.splice(0)).toEqual(['document: two', 'document: three'])
  await commit(home, { remove: ['a/one'] }, { model })
  expect(embedded).toEqual([])
  const [vector] = await model.embed(['two\nnew'], 'query')
  const near = await (await freshReader(home).snapshot()).nearest('tool', vector!, 5, null)
  expect(near.map(({ id }) => id).sort()).toEqual(['a/three', 'a/two'])
  expect(near[0]?.score).toBeCloseTo(1, 5)
})

/** Vectors around a few hundred centres, as texts on the same subjects have. */
function clusteredVectors(count: number, dimensions: number) {
  let state = 42
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
  const unit = (vector: Float32Array): Float32Array => {
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
  const centres = Array.from({ length: 300 }, () => unit(Float32Array.from({ length: dimensions }, random)))
  const near = (centre: Float32Array) => unit(centre.map((value) => value + 0.25 * random()))
  const rows = Array.from({ length: count }, (_, number) => ({
    id: `source-${number % 50}/card-${number}`,
    vector: near(centres[number % centres.length]!),
  }))
  const queries = Array.from({ length: 40 }, (_, number) => near(centres[number * 7]!))
  return { rows, queries }
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * b[axis]!, 0)

describe('a table large enough for an index', () => {
  const dimensions = 16
  const depth = 20
  const { rows, queries } = clusteredVectors(22_000, dimensions)

  /** Mean share of the exact answers that are found. */
  async function recall(
    table: Parameters<typeof nearestIds>[0],
    among: readonly { readonly id: string; readonly vector: Float32Array }[],
    isAdmitted: ((id: string) => boolean) | null,
  ): Promise<number> {
    let sum = 0
    for (const query of queries) {
      const exact = among
        .filter(({ id }) => isAdmitted === null || isAdmitted(id))
        .map(({ id, vector }) => ({ id, score: dot(vector, query) }))
        .sort(byScoreThenId)
        .slice(0, depth)
      const found = await nearestIds(table, query, depth, isAdmitted)
      expect(found).toEqual([...found].sort(byScoreThenId))
      expect(found).toHaveLength(exact.length)
      const ids = new Set(found.map(({ id }) => id))
      sum += exact.filter(({ id }) => ids.has(id)).length / exact.length
    }
    return sum / queries.length
  }

  test('answers nearly as an exact search does: built, added to, filtered, shrunk and emptied', async () => {
    const connection = await connectTo(storeFolder())
    const table = await freshVectorTable(connection, 'tool_vectors', dimensions)
    await putVectors(table, dimensions, rows.slice(0, 21_000))
    expect(await table.listIndices()).toEqual([])
    await indexVectors(table)
    expect(await table.listIndices()).toMatchObject([{ columns: ['vector'], indexType: 'IvfFlat' }])
    expect(await recall(table, rows.slice(0, 21_000), null)).toBeGreaterThan(0.95)

    await putVectors(table, dimensions, rows.slice(21_000))
    await removeVectors(table, { ids: [], sources: ['source-7', 'source-8'] }, undefined)
    await indexVectors(table)
    expect(await settle(table)).toBe(true)
    const left = rows.filter(({ id }) => !/^source-[78]\//.test(id))
    expect(await table.countRows()).toBe(left.length)
    expect(await recall(table, left, null)).toBeGreaterThan(0.95)
    expect(await recall(table, left, (id) => id.startsWith('source-3/'))).toBeGreaterThan(0.95)
    expect(await recall(table, left, (id) => id === rows[3]!.id)).toBe(1)
    const version = await table.version()
    await prune(table)
    await table.checkout(version)
    expect(await recall(table, left, null)).toBeGreaterThan(0.95)
    await table.checkoutLatest()

    await removeVectors(
      table,
      { ids: [], sources: Array.from({ length: 50 }, (_, part) => `source-${part}`) },
      undefined,
    )
    await indexVectors(table)
    await settle(table)
    expect(await nearestIds(table, queries[0]!, depth, null)).toEqual([])
    await putVectors(table, dimensions, rows.slice(0, 100))
    await indexVectors(table)
    await settle(table)
    expect(await recall(table, rows.slice(0, 100), null)).toBe(1)
  }, 120_000)
})

test('a store with a vector index keeps answering over commits that do not touch its vectors', async () => {
  const home = storeFolder()
  const model = scatteredModel()
  const tools = Array.from({ length: 20_000 }, (_, number) => toolCard(`a/card-${number}`))
  const reader = freshReader(home)
  const [vector] = await model.embed(['card-7\nDoes a/card-7'], 'query')
  for (const change of [
    { put: tools },
    { sources: [stateOf('a')] },
    { put: [agentCard('b/one')] },
    { put: [agentCard('b/two')], sources: [stateOf('b')] },
    { remove: ['a/card-8'] },
    { sources: [stateOf('a', { failure: 'gone' })] },
    { remove: ['b/one'] },
  ]) {
    await commit(home, change, { model })
    const near = await (await reader.snapshot('now')).nearest('tool', vector!, 3, null)
    expect(near[0]?.id, JSON.stringify(change).slice(0, 80)).toBe('a/card-7')
  }
  expect(await diagnoseStore(home)).toMatchObject({ state: 'ready', tools: 19_999, agents: 1 })
}, 120_000)

test('many cards are embedded in batches, each with its own vector', async () => {
  const sizes: number[] = []
  const model = scatteredModel({ onEmbed: (texts) => sizes.push(texts.length) })
  const connection = await connectTo(storeFolder())
  const table = await freshVectorTable(connection, 'tool_vectors', model.dimensions)
  const cards = Array.from({ length: 150 }, (_, number) => toolCard(`a/card-${number}`))
  const shares: number[] = []
  await embedCards(table, model, cards, (share) => shares.push(share), undefined)
  expect(sizes).toEqual([64, 64, 22])
  expect(shares.at(-1)).toBe(1)
  for (const number of [0, 63, 64, 149]) {
    const [vector] = await model.embed([`card-${number}\nDoes a/card-${number}`], 'document')
    const [first] = await nearestIds(table, vector!, 1, null)
    expect(first?.id).toBe(`a/card-${number}`)
    expect(first?.score).toBeCloseTo(1, 5)
  }
})
