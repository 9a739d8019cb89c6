import { describe, expect, test } from 'vitest'
import type { Ranker } from '../../../src/retrieval/answer.ts'
import type { ScoredPart, VectorRows } from '../../../src/retrieval/index/joined-rows.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot } from '../../../src/retrieval/ports.ts'
import type { Lookup } from '../../../src/retrieval/query/need.ts'
import { rankCards } from '../../../src/retrieval/search/rank-cards.ts'
import { retrievalDefaults } from '../../../src/retrieval/search/retrieve.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const cards = [
  toolCard('a/one', { name: 'one', description: 'kob kob' }),
  toolCard('b/two', { name: 'two', description: 'kob lum vax' }),
  toolCard('c/three', { name: 'three', description: 'lum' }),
]

/** A snapshot whose dense search finds just these cosines, best first. */
async function finding(cosines: { readonly [id: string]: number }): Promise<CatalogSnapshot> {
  const snapshot = await memorySnapshot(cards)
  const { tool } = snapshot.indexes
  const numbered = Object.entries(cosines).map(([id, score]) => [tool.ids.indexOf(id), score] as const)
  const part: ScoredPart = {
    best: () => ({
      documents: Uint32Array.from(numbered, ([document]) => document),
      scores: Float32Array.from(numbered, ([, score]) => score),
    }),
    of: () => Number.NaN,
  }
  const vectors: VectorRows = {
    dimensions: 1,
    held: [numbered.length],
    scored: () => ({ ...part, parts: [part] }),
    lookAhead: () => undefined,
  }
  return {
    ...snapshot,
    indexes: { ...snapshot.indexes, tool: { ...tool, vectors } },
    embedding: { model: 'fixed', dimensions: 1 },
  }
}

const lookup = (text: string): Lookup => ({ text, vector: Float32Array.of(1) })

async function ranked(
  snapshot: CatalogSnapshot,
  ranker: Ranker,
  query: string,
  facets: readonly string[] = [],
  settings = retrievalDefaults,
) {
  const need = { whole: lookup(query), facets: facets.map(lookup) }
  const { cards: found } = rankCards(snapshot, need, {
    kind: 'tool',
    ranker,
    settings,
    admitted: null,
    learned: null,
  })
  return found.map(({ document, ...rest }) => ({ id: snapshot.indexes.tool.ids.at(document), ...rest }))
}

describe('rankCards', () => {
  test('scales each retriever before it adds them: a narrow band of cosines still decides', async () => {
    const snapshot = await finding({ 'c/three': 0.9, 'b/two': 0.89, 'a/one': 0.88 })
    const found = await ranked(snapshot, 'hybrid', 'quorv')
    expect(found.map(({ id, score }) => [id, Number(score.toFixed(9))])).toEqual([
      ['c/three', 1],
      ['b/two', 0.5],
      ['a/one', 0],
    ])
  })

  test('keeps the raw scores as evidence', async () => {
    const snapshot = await finding({ 'c/three': 0.9, 'b/two': 0.8 })
    const found = await ranked(snapshot, 'hybrid', 'kob')
    const evidence = Object.fromEntries(found.map(({ id, lexical, dense }) => [id, { lexical, dense }]))
    expect(evidence).toEqual({
      'a/one': { lexical: expect.any(Number), dense: undefined },
      'b/two': { lexical: expect.any(Number), dense: expect.closeTo(0.8, 6) },
      'c/three': { lexical: undefined, dense: expect.closeTo(0.9, 6) },
    })
  })

  test('a tie between retrievers falls to the higher id', async () => {
    const snapshot = await finding({ 'b/two': 0.9, 'a/one': 0.8 })
    const found = await ranked(snapshot, 'rrf', 'kob')
    expect(found.map(({ id, score }) => [id, score])).toEqual([
      ['b/two', 1],
      ['a/one', 1],
    ])
  })

  test('the best step counts, whichever place it has', async () => {
    const snapshot = await finding({})
    const scores = async (facets: readonly string[]) =>
      new Map((await ranked(snapshot, 'lexical', 'kob lum vax', facets)).map(({ id, score }) => [id, score]))
    const forwards = await scores(['kob kob', 'lum vax'])
    expect(await scores(['lum vax', 'kob kob'])).toEqual(forwards)
    expect(forwards.get('b/two')).toBe(1)
  })

  test('a step brings in what the whole query missed, and tells how well each card serves it', async () => {
    const snapshot = await finding({})
    const found = await ranked(snapshot, 'lexical', 'kob', ['kob', 'lum'])
    expect(found.map(({ id, facets }) => [id, facets.map((served) => served > 0)])).toEqual([
      ['a/one', [true, false]],
      ['b/two', [true, true]],
      ['c/three', [false, true]],
    ])
  })

  test.each([
    { why: 'no share is theirs', plain: 0, ids: ['a/one', 'b/two'] },
    { why: 'a small one is', plain: 0.2, ids: ['a/one', 'b/two', 'c/three'] },
    { why: 'all of it is theirs', plain: 1, ids: ['c/three', 'b/two'] },
  ])('steps weigh as the settings say: $why', async ({ plain, ids }) => {
    const settings = { ...retrievalDefaults, stepGain: { learned: 0.5, plain } }
    const found = await ranked(await finding({}), 'lexical', 'kob', ['lum'], settings)
    const positive = found.filter(({ score }) => score > 0)
    expect(positive.map(({ id }) => id)).toEqual(ids)
  })

  test('depth is what each retriever gives', async () => {
    const settings = { ...retrievalDefaults, depth: 1 }
    const found = await ranked(await finding({}), 'lexical', 'kob', [], settings)
    expect(found.map(({ id }) => id)).toEqual(['a/one'])
  })
})
