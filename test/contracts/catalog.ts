import { describe, expect, onTestFinished, test } from 'vitest'
import { contentHash } from '../../src/catalog/identity.ts'
import { type CatalogChange, type CatalogWriter, OvertakenError } from '../../src/store/catalog-writer.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import { emptyReview, type SourceReview } from '../../src/store/source-review.ts'
import type { Card, CardKind } from '../../src/domain/card.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import {
  type CatalogReader,
  type CatalogSnapshot,
  type EmbeddingModel,
  NoIndexError,
} from '../../src/retrieval/ports.ts'
import { stringsIn } from '../../src/retrieval/index/string-table.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { nearestCards } from '../fakes/nearest-cards.ts'
import { scatteredModel } from '../fakes/scattered-model.ts'

/** An empty catalog as an adapter gives it. A reader sees each commit at its next look. */
export type Catalog = {
  writer(model?: EmbeddingModel | null): Promise<CatalogWriter>
  reader(): CatalogReader
}

const kinds: readonly CardKind[] = ['tool', 'agent']

/** A change; what a test does not say stays as it is. */
export const changeOf = (parts: Partial<CatalogChange> = {}): CatalogChange => ({
  put: [],
  remove: [],
  sources: [],
  removeSources: [],
  ...parts,
})

/** What a store remembers of a source. */
export const stateOf = (id: string, parts: Partial<SourceState> = {}): SourceState => ({
  id,
  location: `/home/someone/${id}`,
  reader: 'fake',
  indexedAt: '2026-01-02T03:04:05.000Z',
  tools: 0,
  agents: 0,
  problems: [],
  ...parts,
})

/** Commits one change with a writer of its own. */
export async function commitTo(
  catalog: Catalog,
  parts: Partial<CatalogChange>,
  model: EmbeddingModel | null = null,
): Promise<void> {
  const writer = await catalog.writer(model)
  try {
    await writer.commit(changeOf(parts))
  } finally {
    await writer.close()
  }
}

/** Writers that begin at the same time all commit, each a source of its own. Not of a catalog where one waits for another. */
export async function takesCommitsAtOnce(catalog: Catalog): Promise<void> {
  const sources = ['a', 'b', 'c', 'd']
  const writers = await Promise.all(sources.map(() => catalog.writer()))
  await Promise.all(
    writers.map((writer, at) =>
      writer.commit(changeOf({ put: [toolCard(`${sources[at]}/one`)], sources: [stateOf(sources[at]!)] })),
    ),
  )
  await Promise.all(writers.map((writer) => writer.close()))
  const reader = catalog.reader()
  onTestFinished(() => reader.close())
  expect(idsOf(await reader.snapshot(), 'tool')).toEqual(sources.map((id) => `${id}/one`))
  expect((await reader.sources()).map(({ id }) => id)).toEqual(sources)
}

/** Ids that a store must not stumble over. */
export const strangeIds: readonly string[] = [
  `o'brien/it's "quoted" \`so\``,
  "drop/'; DROP TABLE tools; --",
  'percent/100%_of\\it',
  'ключ/инструмент',
  '来源/查询天气',
  'emoji/🙂👩‍👩‍👧',
  'slashes/a/b//c',
  `long/${'x'.repeat(200)}`,
  'comb/e\u0301',
  'case/Name',
  'case/name',
]

/**
 * What every catalog promises; run it inside a `describe`, with a factory that gives an empty catalog.
 *
 * @param writers - whether a second writer waits for the first, or both go on and the one that commits later may have to plan again
 */
export function keepsTheCatalogContract(make: () => Catalog, writers: 'wait' | 'race' = 'wait'): void {
  /** A catalog and a reader of it, closed after the test. */
  const opened = () => {
    const catalog = make()
    const reader = catalog.reader()
    onTestFinished(() => reader.close())
    return { catalog, reader }
  }
  const two = [toolCard('a/one'), agentCard('a/guide')]

  test('an empty catalog has no snapshot, no source and no hash, and is not current', async () => {
    const { catalog, reader } = opened()
    await expect(reader.snapshot()).rejects.toThrow(NoIndexError)
    expect(await reader.sources()).toEqual([])
    const writer = await catalog.writer()
    expect(await writer.isCurrent()).toBe(false)
    expect(await writer.sources()).toEqual([])
    expect(await writer.hashes('a')).toEqual(new Map())
    await writer.close()
  })

  test('cards come back as they were put, in the order asked, unknown ids left out', async () => {
    const { catalog, reader } = opened()
    const cards = [
      toolCard('a/one', { inputSchema: { type: 'object', properties: { 'x"y': { type: 'string' } } } }),
      toolCard('a/two', { description: 'line\nbreak\u0000 and \ud800 half a pair' }),
      agentCard('b/guide', { instructions: 'long '.repeat(20_000), policy: { temperature: 0.2 } }),
    ]
    await commitTo(catalog, { put: cards })
    const snapshot = await reader.snapshot()
    expect(await snapshot.cards(['b/guide', 'a/none', 'a/two', 'a/one'])).toEqual([
      cards[2],
      cards[1],
      cards[0],
    ])
    expect(await snapshot.cards([])).toEqual([])
    expect(sizesOf(snapshot)).toEqual({ tool: 2, agent: 1 })
  })

  test('ids with quotes, slashes, any script and any length are put, found, changed and removed', async () => {
    const { catalog, reader } = opened()
    const model = scatteredModel()
    const [vector] = await model.embed(['anything'], 'query')
    const cards = strangeIds.map((id) => toolCard(id))
    const sources = [...new Set(cards.map(({ source }) => source))]
    const other = toolCard('other/one')
    const nearIds = async (snapshot: CatalogSnapshot) =>
      nearestCards(snapshot.indexes.tool, vector!, 100, null)
        .map(({ id }) => id)
        .sort()

    await commitTo(catalog, { put: [...cards, other], sources: sources.map((id) => stateOf(id)) }, model)
    const first = await reader.snapshot('now')
    expect(await first.cards(strangeIds)).toEqual(cards)
    expect(await nearIds(first)).toEqual([...strangeIds, 'other/one'].sort())
    const writer = await catalog.writer(model)
    for (const card of cards) {
      const hashes = await writer.hashes(card.source)
      expect(hashes.get(card.id)).toBe(contentHash(card))
      expect(hashes.size).toBe(cards.filter(({ source }) => source === card.source).length)
    }
    const changed = cards.map((card) => ({ ...card, description: 'changed' }))
    await writer.commit(changeOf({ put: changed }))
    expect(await (await reader.snapshot('now')).cards(strangeIds)).toEqual(changed)
    await writer.commit(changeOf({ remove: strangeIds }))
    expect(await nearIds(await reader.snapshot('now'))).toEqual(['other/one'])
    await writer.commit(changeOf({ put: cards }))
    await writer.commit(changeOf({ removeSources: sources }))
    await writer.close()
    const last = await reader.snapshot('now')
    expect(idsOf(last, 'tool')).toEqual(['other/one'])
    expect(await nearIds(last)).toEqual(['other/one'])
    expect(await reader.sources()).toEqual([])
  })

  test('a commit that removes a source leaves sources whose names begin alike', async () => {
    const { catalog, reader } = opened()
    const put = ['a/one', 'ab/one', 'a~2/one', 'A/one'].map((id) => toolCard(id))
    const sources = put.map(({ source }) => stateOf(source))
    const model = scatteredModel()
    await commitTo(catalog, { put, sources }, model)
    await commitTo(catalog, { removeSources: ['a'] }, model)
    const snapshot = await reader.snapshot('now')
    expect(idsOf(snapshot, 'tool')).toEqual(['A/one', 'ab/one', 'a~2/one'])
    expect((await reader.sources()).map(({ id }) => id)).toEqual(['A', 'ab', 'a~2'])
    const [vector] = await model.embed(['anything'], 'query')
    const near = nearestCards(snapshot.indexes.tool, vector!, 10, null)
    expect(near.map(({ id }) => id).sort()).toEqual(['A/one', 'ab/one', 'a~2/one'])
  })

  test('one commit puts, changes and removes together, and may give a removed source back', async () => {
    const { catalog, reader } = opened()
    await commitTo(catalog, {
      put: [...two, toolCard('b/old'), toolCard('c/stays')],
      sources: [stateOf('a'), stateOf('b'), stateOf('c')],
    })
    await commitTo(catalog, {
      put: [toolCard('a/one', { description: 'new' }), toolCard('b/new')],
      remove: ['a/guide'],
      removeSources: ['b'],
      sources: [stateOf('b', { tools: 1 })],
    })
    const snapshot = await reader.snapshot('now')
    expect(idsOf(snapshot, 'tool')).toEqual(['a/one', 'b/new', 'c/stays'])
    expect(idsOf(snapshot, 'agent')).toEqual([])
    expect((await snapshot.cards(['a/one']))[0]?.description).toBe('new')
    expect(await reader.sources()).toEqual([stateOf('a'), stateOf('b', { tools: 1 }), stateOf('c')])
  })

  test('a card that becomes one of the other kind leaves nothing behind', async () => {
    const { catalog, reader } = opened()
    const model = scatteredModel()
    await commitTo(catalog, { put: [toolCard('a/one'), toolCard('a/two')] }, model)
    await commitTo(catalog, { put: [agentCard('a/one')] }, model)
    const snapshot = await reader.snapshot('now')
    expect([idsOf(snapshot, 'tool'), idsOf(snapshot, 'agent')]).toEqual([['a/two'], ['a/one']])
    const writer = await catalog.writer(model)
    expect((await writer.hashes('a')).size).toBe(2)
    expect((await writer.hashes('a')).get('a/one')).toBe(contentHash(agentCard('a/one')))
    await writer.close()
    const [vector] = await model.embed(['anything'], 'query')
    expect(nearestCards(snapshot.indexes.tool, vector!, 10, null).map(({ id }) => id)).toEqual(['a/two'])
  })

  test('everything can be removed, searched in vain, and put again', async () => {
    const { catalog, reader } = opened()
    const model = scatteredModel()
    await commitTo(catalog, { put: two, sources: [stateOf('a')] }, model)
    await commitTo(catalog, { removeSources: ['a'] }, model)
    const empty = await reader.snapshot('now')
    expect(sizesOf(empty)).toEqual({ tool: 0, agent: 0 })
    expect(await empty.cards(['a/one'])).toEqual([])
    const [vector] = await model.embed(['anything'], 'query')
    for (const kind of kinds) expect(nearestCards(empty.indexes[kind], vector!, 5, null)).toEqual([])
    await commitTo(catalog, { put: two }, model)
    expect(sizesOf(await reader.snapshot('now'))).toEqual({ tool: 1, agent: 1 })
  })

  test.each([
    { why: 'nothing at all', put: [] },
    { why: 'tools only', put: [two[0]!] },
    { why: 'agents only', put: [two[1]!] },
  ])('a first commit of $why is a catalog', async ({ put }) => {
    const { catalog, reader } = opened()
    const model = scatteredModel()
    await commitTo(catalog, { put }, model)
    const snapshot = await reader.snapshot()
    expect(snapshot.indexes.tool.size + snapshot.indexes.agent.size).toBe(put.length)
    const [vector] = await model.embed(['anything'], 'query')
    for (const kind of kinds) {
      expect(nearestCards(snapshot.indexes[kind], vector!, 3, null)).toHaveLength(snapshot.indexes[kind].size)
    }
    const writer = await catalog.writer(model)
    expect(await writer.isCurrent()).toBe(true)
    await writer.close()
  })

  test('each commit that changes cards is a new generation; states of sources alone are not', async () => {
    const { catalog, reader } = opened()
    const generations: number[] = []
    const writer = await catalog.writer()
    for (const parts of [
      { put: two },
      { sources: [stateOf('a')] },
      { sources: [stateOf('a', { failure: 'gone' })] },
      { put: [toolCard('a/two')] },
      { remove: ['a/two'] },
      { remove: ['a/unknown'] },
    ]) {
      await writer.commit(changeOf(parts))
      generations.push((await reader.snapshot('now')).generation)
    }
    await writer.close()
    const [first = 0] = generations
    expect(generations).toEqual([first, first, first, first + 1, first + 2, first + 2])
    expect(await reader.sources()).toEqual([stateOf('a', { failure: 'gone' })])
  })

  test('states of sources are kept field by field, replaced by id, and listed by id', async () => {
    const { catalog, reader } = opened()
    const problem = { severity: 'error', file: 'a.md', message: "it's", remedy: 'mend "it"' } as const
    const states = [
      stateOf("z'z", { problems: [problem], fingerprint: 'f' }),
      stateOf('a', { indexedAt: null, failure: 'no' }),
    ]
    await commitTo(catalog, { sources: states })
    expect(await reader.sources()).toEqual([states[1], states[0]])
    await commitTo(catalog, { sources: [stateOf('a')] })
    const writer = await catalog.writer()
    expect(await writer.sources()).toEqual([stateOf('a'), states[0]])
    await writer.close()
  })

  test('reviews are kept by key beside the states, written and forgotten in the same commit', async () => {
    const { catalog, reader } = opened()
    const held = {
      card: toolCard("a/o'brien", { description: 'held \u200b' }),
      pin: 'p',
      since: '2026-01-02T03:04:05.000Z',
      findings: [],
    }
    const review = (key: string): SourceReview => ({ ...emptyReview(key), accepted: ["it's"], held: [held] })
    expect(await reader.reviews()).toEqual([])
    await commitTo(catalog, { put: two, sources: [stateOf('a')], reviews: [review('b'), review("a'a")] })
    expect(await reader.reviews()).toEqual([review("a'a"), review('b')])
    expect(await (await reader.snapshot('now')).cards(["a/o'brien"])).toEqual([])
    await commitTo(catalog, { reviews: [{ ...review('b'), held: [] }], removeReviews: ["a'a", 'b', 'none'] })
    const writer = await catalog.writer()
    expect(await writer.reviews()).toEqual([{ ...review('b'), held: [] }])
    await writer.close()
    expect(await reader.sources()).toEqual([stateOf('a')])
  })

  test('a writer reads ids and cards of what is committed, many at once', async () => {
    const { catalog } = opened()
    const many = Array.from({ length: 1_200 }, (_, at) => toolCard(`m/${at}`))
    await commitTo(catalog, { put: [...two, ...many] })
    const writer = await catalog.writer()
    const ids = (await writer.ids()).map(({ id, source }) => `${source} ${id}`).sort()
    expect(ids).toEqual([...two, ...many].map(({ id, source }) => `${source} ${id}`).sort())
    const found = await writer.cards([...many.map(({ id }) => id), 'a/guide', 'a/none'])
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set([...many.map(({ id }) => id), 'a/guide']))
    expect(found.find(({ id }) => id === 'm/7')).toEqual(many[7])
    await writer.close()
  })

  test('progress never falls and ends at 1', async () => {
    const { catalog } = opened()
    const shares: number[] = []
    const writer = await catalog.writer(scatteredModel())
    await writer.commit(changeOf({ put: two }), (share) => shares.push(share))
    await writer.close()
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(shares[0]).toBeGreaterThanOrEqual(0)
  })

  test('an aborted commit changes nothing, and the same writer goes on', async () => {
    const { catalog, reader } = opened()
    await commitTo(catalog, { put: two, sources: [stateOf('a')] })
    const before = await reader.snapshot()
    const stop = new AbortController()
    const reason = new Error('enough')
    const writer = await catalog.writer()
    const change = changeOf({ put: [toolCard('b/one')], removeSources: ['a'], sources: [stateOf('b')] })
    await expect(writer.commit(change, () => stop.abort(reason), stop.signal)).rejects.toBe(reason)
    expect((await reader.snapshot('now')).generation).toBe(before.generation)
    expect((await writer.hashes('a')).size).toBe(2)
    expect((await writer.hashes('b')).size).toBe(0)
    await writer.commit(changeOf({ put: [toolCard('c/one')] }))
    await writer.close()
    expect(idsOf(await reader.snapshot('now'), 'tool')).toEqual(['a/one', 'c/one'])
    expect((await reader.sources()).map(({ id }) => id)).toEqual(['a'])
  })

  test('a commit that was no longer wanted before it began does not even change states', async () => {
    const { catalog, reader } = opened()
    await commitTo(catalog, { put: two, sources: [stateOf('a')] })
    const reason = new Error('enough')
    const writer = await catalog.writer()
    const change = changeOf({ sources: [stateOf('a', { failure: 'gone' })] })
    await expect(writer.commit(change, undefined, AbortSignal.abort(reason))).rejects.toBe(reason)
    await writer.close()
    expect(await reader.sources()).toEqual([stateOf('a')])
  })

  test.runIf(writers === 'race')('of two writers that began on one state', async () => {
    const { catalog, reader } = opened()
    await commitTo(catalog, { put: two, sources: [stateOf('a')] })
    const [first, late, strange] = [await catalog.writer(), await catalog.writer(), await catalog.writer()]
    await first.commit(changeOf({ put: [toolCard('a/three')], remove: ['a/one'], sources: [stateOf('a')] }))
    const change = changeOf({ put: [toolCard('a/four')], sources: [stateOf('a')] })
    await expect(late.commit(change), 'both change one source: the later has to plan again').rejects.toThrow(
      OvertakenError,
    )
    await strange.commit(changeOf({ put: [toolCard('b/one')], sources: [stateOf('b')] }))
    expect(
      (await strange.sources()).map(({ id }) => id),
      'the later took what the first wrote',
    ).toEqual(['a', 'b'])
    expect([...(await strange.hashes('a')).keys()].sort()).toEqual(['a/guide', 'a/three'])
    await Promise.all([first, late, strange].map((writer) => writer.close()))
    expect(idsOf(await reader.snapshot('now'), 'tool')).toEqual(['a/three', 'b/one'])
  })

  test.runIf(writers === 'race')('writers that begin at the same time all commit', () =>
    takesCommitsAtOnce(make()),
  )

  test.runIf(writers === 'wait')('two writers write one after the other', async () => {
    const { catalog, reader } = opened()
    const order: string[] = []
    const first = await catalog.writer()
    const second = catalog.writer().then(async (writer) => {
      order.push('second')
      expect((await writer.hashes('a')).size).toBe(2)
      await writer.commit(changeOf({ put: [toolCard('a/three')] }))
      await writer.close()
    })
    await first.commit(changeOf({ put: two }))
    order.push('first')
    await first.close()
    await second
    expect(order).toEqual(['first', 'second'])
    expect(idsOf(await reader.snapshot('now'), 'tool')).toEqual(['a/one', 'a/three'])
  })

  test('a snapshot is of its generation, and what it holds in memory stays', async () => {
    const { catalog, reader } = opened()
    await commitTo(catalog, { put: two })
    const old = await reader.snapshot()
    await commitTo(catalog, { put: [toolCard('b/one')], remove: ['a/one'] })
    const next = await reader.snapshot('now')
    expect([idsOf(old, 'tool'), idsOf(next, 'tool')]).toEqual([['a/one'], ['b/one']])
    expect(next.generation).toBe(old.generation + 1)
    expect(await reader.snapshot('now')).toBe(next)
  })

  test('a commit with another model embeds every card anew, and one without leaves no vectors', async () => {
    const { catalog, reader } = opened()
    const embedded: string[] = []
    const model = (id: string, dimensions: number) =>
      scatteredModel({ id, dimensions, onEmbed: (texts) => embedded.push(...texts) })
    await commitTo(catalog, { put: two }, model('old', 8))
    await commitTo(catalog, { put: [toolCard('b/one')] }, model('old', 8))
    embedded.length = 0
    const writer = await catalog.writer(model('new', 5))
    expect(await writer.isCurrent()).toBe(false)
    await writer.commit(changeOf())
    expect(await writer.isCurrent()).toBe(true)
    await writer.close()
    expect(embedded).toHaveLength(3)
    const changed = await reader.snapshot('now')
    expect(changed.embedding).toEqual({ model: 'new', dimensions: 5 })
    const [vector] = await model('new', 5).embed(['anything'], 'query')
    expect(nearestCards(changed.indexes.tool, vector!, 5, null)).toHaveLength(2)
    await commitTo(catalog, {})
    const without = await reader.snapshot('now')
    expect(without.embedding).toBeNull()
    expect(nearestCards(without.indexes.tool, vector!, 5, null)).toEqual([])
  })

  test('a card whose vector is no vector is found by words alone', async () => {
    const { catalog, reader } = opened()
    const scattered = scatteredModel()
    const model: EmbeddingModel = {
      ...scattered,
      async embed(texts, role, signal) {
        const vectors = await scattered.embed(texts, role, signal)
        return vectors.map((vector, place) =>
          texts[place]!.startsWith('broken') ? vector.fill(Number.NaN) : vector,
        )
      },
    }
    await commitTo(catalog, { put: [toolCard('a/one'), toolCard('a/broken')] }, model)
    await commitTo(catalog, { put: [toolCard('a/two')] }, model)
    const snapshot = await reader.snapshot()
    const [vector] = await model.embed(['anything'], 'query')
    const near = nearestCards(snapshot.indexes.tool, vector!, 10, null)
    expect(near.map(({ id }) => id).sort()).toEqual(['a/one', 'a/two'])
    expect(nearestCards(snapshot.indexes.tool, vector!, 10, Uint8Array.of(1, 0, 0))).toEqual([])
    expect(idsOf(snapshot, 'tool')).toEqual(['a/broken', 'a/one', 'a/two'])
  })

  test('scores of nearest are cosines, to 0.005', async () => {
    const { catalog, reader } = opened()
    const model = scatteredModel({ dimensions: 64 })
    const cards = Array.from({ length: 60 }, (_, number) => toolCard(`a/card-${number}`))
    await commitTo(catalog, { put: cards }, model)
    const snapshot = await reader.snapshot()
    const [query] = await model.embed(['anything'], 'query')
    const texts = cards.map(({ id, name }) => `${name}\nDoes ${id}`)
    const vectors = await model.embed(texts, 'document')
    const cosines = new Map(
      cards.map(({ id }, place) => [
        id,
        vectors[place]!.reduce((sum, value, axis) => sum + value * query![axis]!, 0),
      ]),
    )
    const near = nearestCards(snapshot.indexes.tool, query!, 20, null)
    expect(near).toHaveLength(20)
    for (const { id, score } of near) expect(Math.abs(score - cosines.get(id)!)).toBeLessThan(0.005)
    const found = new Set(near.map(({ id }) => id))
    const others = [...cosines].filter(([id]) => !found.has(id)).map(([, cosine]) => cosine)
    expect(Math.max(...others)).toBeLessThan(near.at(-1)!.score + 0.01)
  })

  test('what is said of a source shows in the cards that were there before', async () => {
    const { catalog, reader } = opened()
    const dump = stateOf('dump', { reader: 'toolret-jsonl' })
    const put = [toolCard('dump/weigh'), agentCard('dump/clerk'), toolCard('own/read')]
    await commitTo(catalog, { put, sources: [dump, stateOf('own')] })
    const standings = async () => {
      const { indexes } = await reader.snapshot('now')
      return put.map(({ id, kind }) => indexes[kind].standing(indexes[kind].ids.indexOf(id)))
    }
    expect(await standings()).toEqual(['stranger', 'stranger', 'installed'])
    await commitTo(catalog, { sources: [{ ...dump, standing: 'accepted' }] })
    expect(await standings()).toEqual(['accepted', 'accepted', 'installed'])
    await commitTo(catalog, { put: [toolCard('own/write')] })
    expect(await standings()).toEqual(['accepted', 'accepted', 'installed'])
    await commitTo(catalog, { sources: [{ ...dump, standing: 'stranger' }] })
    expect(await standings()).toEqual(['stranger', 'stranger', 'installed'])
  })

  describe('nearest is exact', () => {
    const model = scatteredModel()
    // Cards that say the same have equal vectors: the order of ties and where they are cut off are part of the promise.
    const cards: readonly Card[] = Array.from({ length: 120 }, (_, number) => {
      const id = `${['a', 'b', 'c'][number % 3]}/card-${number}`
      const name = `same ${number % 9}`
      const said = { name, description: '', tags: number % 7 === 0 ? ['seven'] : [] }
      return number % 5 === 0 ? agentCard(id, said) : toolCard(id, said)
    })

    test.each([
      { why: 'no filter', admit: () => true },
      { why: 'one source', admit: ({ source }: Card) => source === 'b' },
      { why: 'a rare tag', admit: ({ tags }: Card) => tags.includes('seven') },
      { why: 'one card', admit: ({ id }: Card) => id === 'a/card-3' || id === 'a/card-15' },
      { why: 'nothing', admit: () => false },
    ])('with $why', async ({ why, admit }) => {
      const { catalog, reader } = opened()
      await commitTo(catalog, { put: cards.slice(0, 70) }, model)
      await commitTo(catalog, { put: cards.slice(50), remove: ['a/card-9'] }, model)
      const snapshot = await reader.snapshot('now')
      const oracle = await memorySnapshot(
        cards.filter(({ id }) => id !== 'a/card-9'),
        model,
      )
      const byId = new Map(cards.map((card) => [card.id, card]))
      for (const kind of kinds) {
        const { ids } = snapshot.indexes[kind]
        const admitted =
          why === 'no filter'
            ? null
            : Uint8Array.from({ length: ids.size }, (_, place) => (admit(byId.get(ids.at(place))!) ? 1 : 0))
        for (const depth of [1, 2, 3, 7, 50, 500]) {
          for (const query of ['one', 'two', 'three']) {
            const [vector] = await model.embed([query], 'query')
            const found = nearestCards(snapshot.indexes[kind], vector!, depth, admitted)
            const expected = nearestCards(oracle.indexes[kind], vector!, depth, admitted)
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
            found.forEach(({ score }, rank) => {
              expect(score).toBeCloseTo(expected[rank]!.score, 5)
            })
          }
        }
      }
    })
  })
}

/** All ids of one kind, in order. */
export const idsOf = ({ indexes }: CatalogSnapshot, kind: CardKind): readonly string[] => [
  ...stringsIn(indexes[kind].ids),
]

const sizesOf = ({ indexes }: CatalogSnapshot) => ({ tool: indexes.tool.size, agent: indexes.agent.size })
