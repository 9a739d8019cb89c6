import { existsSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { segmentsIn } from '../../../src/adapters/lancedb/connection.ts'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import type { CatalogChange } from '../../../src/store/catalog-writer.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import { averagesOf, openShared, sharedIndex } from '../../../src/retrieval/index/catalog-image.ts'
import { quantisedVectors } from '../../../src/retrieval/index/quantised-vectors.ts'
import { vectorsOfCards } from '../../../src/retrieval/vectors-of-cards.ts'
import { packedMeta } from '../../../src/retrieval/text/sections.ts'
import { analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { changeOf, stateOf } from '../../contracts/catalog.ts'
import { objectStorage } from '../../fixtures/object-storage.ts'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import type { CatalogReader } from '../../../src/retrieval/ports.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { lanceWriter, type WriterOptions } from '../../../src/adapters/lancedb/lance-writer.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { harms, repaired } from './damaged-stores.ts'
import { commit, freshReader, storeFolder } from './stores.ts'

const words = 'send mail invoice weather forecast city file open issue list night day pay refund'.split(' ')
const sources = ['alpha', 'beta', 'gamma', 'delta']
const random = seededRandom(7)
const someWords = (count: number): string =>
  Array.from({ length: count }, () => words[random.below(words.length)]).join(' ')
const made = (number: number): ToolCard =>
  toolCard(`${sources[number % sources.length]}/tool-${number}`, {
    name: someWords(2),
    description: `${someWords(6 + random.below(12))} ${random.below(40)}`,
    tags: [someWords(1)],
  })

/** Tools, and changes of them: some are put, some go, and once a whole source does. */
const start = Array.from({ length: 300 }, (_, number) => made(number))
const steps: readonly Partial<CatalogChange>[] = Array.from({ length: 14 }, (_, step) => ({
  put: Array.from({ length: 5 }, () => made(random.below(330))).filter(
    ({ id }, at, all) =>
      all.findIndex((other) => other.id === id) === at && !(step > 9 && id.startsWith('delta')),
  ),
  ...(step === 6 ? { remove: ['alpha/tool-0', 'beta/tool-1'] } : {}),
  ...(step === 9 ? { put: [], removeSources: ['delta'] } : {}),
}))
const model = scatteredModel()
const options = { model, segmentsFrom: 100 }

function nextOf(cards: ReadonlyMap<string, ToolCard>, change: Partial<CatalogChange>): Map<string, ToolCard> {
  const next = new Map(cards)
  for (const id of change.remove ?? []) next.delete(id)
  for (const [id, { source }] of cards) if (change.removeSources?.includes(source)) next.delete(id)
  for (const card of change.put ?? []) next.set(card.id, card as ToolCard)
  return next
}

/** The cards in one segment, whose lengths are compared with the same means. */
async function inOne(cards: readonly ToolCard[], like: CardIndex): Promise<CardIndex> {
  const vectors = quantisedVectors(model.dimensions)
  const embedded = await vectorsOfCards(model, cards)
  embedded.forEach((vector, at) => void vectors.add(cards[at]!.id, vector))
  return openCardIndex(packCardIndex(cards, { vectors, averages: averagesOf(like) }))!
}

const queries = ['send an invoice', 'weather of the city at night', 'open issue list', 'refund 17']

async function expectAlike(found: CardIndex, cards: readonly ToolCard[]): Promise<void> {
  const wanted = await inOne(cards, found)
  expect(found.size).toBe(wanted.size)
  for (const text of queries) {
    const terms = analyzeQuery(text)
    expect(found.search(terms, 20, null)).toEqual(wanted.search(terms, 20, null))
    const [vector] = await model.embed([text], 'query')
    expect(found.vectors!.scored(vector!, null).best(20)).toEqual(
      wanted.vectors!.scored(vector!, null).best(20),
    )
  }
  for (let document = 0; document < wanted.size; document++)
    expect(found.ids.at(document)).toBe(wanted.ids.at(document))
}

async function madeStore(written: WriterOptions = options): Promise<string> {
  const home = storeFolder()
  await commit(home, { put: start, sources: sources.map((id) => stateOf(id)) }, written)
  return home
}

describe('a store in segments', () => {
  test.each([
    { how: 'few', segmentsFrom: 100, first: 1 },
    // Of at most 150 cards each.
    { how: 'all cards in several', segmentsFrom: 10, first: 2 },
  ])(
    'is after every commit as if all of it were in one, and a reader opens what changed only: $how',
    async ({ segmentsFrom, first }) => {
      const home = await madeStore({ model, segmentsFrom })
      const reader = freshReader(home)
      let cards = new Map(start.map((card) => [card.id, card]))
      const counts: number[] = []
      let before = (await reader.snapshot()).indexes.tool
      expect(before.segments).toHaveLength(first)
      for (const change of steps) {
        await commit(home, change, { model, segmentsFrom })
        cards = nextOf(cards, change)
        const snapshot = await reader.snapshot()
        const { tool } = snapshot.indexes
        await expectAlike(tool, [...cards.values()])
        expect(await snapshot.cards([...cards.keys()])).toEqual([...cards.values()])
        const named = tool.segments.map(({ name }) => name.table)
        expect([...segmentsIn(home)].sort()).toEqual([...named].sort())
        for (const segment of tool.segments) {
          const known = before.segments.find(({ name }) => name.digest === segment.name.digest)
          if (known) expect(segment).toBe(known)
        }
        const there = openShared(sharedIndex(tool), before.segments)
        const terms = analyzeQuery(queries[0]!)
        expect(there.search(terms, 5, null)).toEqual(tool.search(terms, 5, null))
        counts.push(tool.segments.length)
        before = tool
      }
      expect(Math.max(...counts)).toBeGreaterThan(2)
      expect(await diagnoseStore(home)).toMatchObject({ state: 'ready', tools: cards.size })
    },
    120_000,
  )

  test('tells a new card that says what another does, and leaves alone who was alike', async () => {
    const home = await madeStore()
    const reader = freshReader(home)
    const before = (await reader.snapshot()).indexes.tool
    const [twin] = start.filter(({ description }) => description.split(' ').length > 12)
    const copy = { ...twin!, id: 'other/copy', source: 'other', provenance: twin!.provenance }
    await commit(home, { put: [copy, { ...made(999), description: 'zebra quagga okapi tapir' }] }, options)
    const { tool } = (await reader.snapshot()).indexes
    const groupOf = (index: CardIndex, id: string) => index.defences.lookAlike(index.ids.indexOf(id))
    expect(tool.segments.length).toBe(2)
    expect(groupOf(tool, copy.id)).toBe(groupOf(tool, twin!.id))
    const alone = tool.ids.indexOf('delta/tool-999')
    expect(tool.defences.lookAlike(alone)).toBe(alone)
    for (const one of start.slice(0, 60))
      for (const other of start.slice(0, 60))
        expect(groupOf(tool, one.id) === groupOf(tool, other.id)).toBe(
          groupOf(before, one.id) === groupOf(before, other.id),
        )
  })

  test('lies in object storage as it does in a folder', async () => {
    const storage = await objectStorage('honoured')
    onTestFinished(() => {
      vi.unstubAllEnvs()
      return storage.close()
    })
    for (const [name, value] of Object.entries(storage.environment)) vi.stubEnv(name, value)
    const home = storage.store('segments')
    await commit(home, { put: start, sources: sources.map((id) => stateOf(id)) }, options)
    const reader = freshReader(home)
    expect((await reader.snapshot()).indexes.tool.segments).toHaveLength(1)
    const [one, other] = await Promise.all([lanceWriter(home, options), lanceWriter(home, options)])
    // Both were planned on the same head: the second is made again on what the first committed.
    await one.commit(changeOf({ put: [toolCard('first/of-two')] }))
    await other.commit(changeOf({ put: [toolCard('second/of-two')] }))
    await Promise.all([one.close(), other.close()])
    const { tool } = (await reader.snapshot()).indexes
    const put = [toolCard('first/of-two'), toolCard('second/of-two')]
    await expectAlike(tool, [...start, ...put])
    expect(tool.segments.length).toBeGreaterThan(1)
  })

  test('is copied to the disk of a replica, of which a commit adds what it sealed', async () => {
    const storage = await objectStorage('honoured')
    onTestFinished(() => {
      vi.unstubAllEnvs()
      return storage.close()
    })
    for (const [name, value] of Object.entries(storage.environment)) vi.stubEnv(name, value)
    const [home, folder] = [storage.store('replicated'), temporaryFolder()]
    const opened = (): CatalogReader => {
      const reader = lanceReader(home, { replica: { folder, tell: () => undefined } })
      onTestFinished(() => reader.close())
      return reader
    }
    await commit(home, { put: start, sources: sources.map((id) => stateOf(id)) }, options)
    const reader = opened()
    const before = (await reader.snapshot()).indexes.tool
    await commit(home, steps[0]!, options)
    const { tool } = (await reader.snapshot('now')).indexes
    expect(tool.segments).toHaveLength(2)
    expect(tool.segments[0]).toBe(before.segments[0])
    const digests = tool.segments.map(({ name }) => name.digest)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(digests))
    const cards = nextOf(new Map(start.map((card) => [card.id, card])), steps[0]!)
    await expectAlike((await opened().snapshot()).indexes.tool, [...cards.values()])
  })

  test('compares lengths with new means once the old ones are off, whatever is open', async () => {
    const home = await madeStore()
    const means = async () => averagesOf((await freshReader(home).snapshot()).indexes.tool)
    const writer = await lanceWriter(home, options)
    onTestFinished(() => writer.close())
    const before = await means()
    const long = Array.from({ length: 120 }, (_, at) => ({
      ...made(1000 + at),
      description: `${someWords(60)} ${at}`,
    }))
    await writer.commit(changeOf({ put: long.slice(0, 60) }))
    expect(await means()).toEqual(before)
    await writer.commit(changeOf({ put: long.slice(60) }))
    const { tool } = (await freshReader(home).snapshot()).indexes
    expect(tool.segments).toHaveLength(1)
    expect(averagesOf(tool)).toEqual(packedMeta(packCardIndex([...start, ...long])).averages)
    await expectAlike(tool, [...start, ...long])
  })

  test('is one image again when most of it goes', async () => {
    const home = await madeStore()
    await commit(home, { removeSources: ['alpha', 'beta', 'gamma'] }, options)
    const { tool } = (await freshReader(home).snapshot()).indexes
    expect([tool.size, tool.segments.length, segmentsIn(home).length]).toEqual([75, 0, 0])
  })

  test('of which a segment is damaged is told and made anew from its cards', async () => {
    const home = await madeStore()
    await commit(home, steps[0]!, options)
    const [segment] = segmentsIn(home)
    expect(harms['data files cut off']!(join(home, `${segment}.lance`))).toBe(true)
    expect(await diagnoseStore(home)).toMatchObject({ state: 'unreadable' })
    const repair = await repaired(home)
    expect(repair.steps.map(({ kind }) => kind)).toContain('mend')
    const cards = nextOf(new Map(start.map((card) => [card.id, card])), steps[0]!)
    const snapshot = await freshReader(home).snapshot()
    expect(snapshot.indexes.tool.size).toBe(cards.size)
    expect(new Set(await snapshot.cards([...cards.keys()]))).toEqual(new Set(cards.values()))
    await commit(home, steps[1]!, options)
    expect(await diagnoseStore(home)).toMatchObject({ state: 'ready' })
    expect(readdirSync(home).some((name) => name.startsWith('repair'))).toBe(false)
  })

  test('keeps older versions of its tables, which nobody takes for what killed runs left', async () => {
    const home = await madeStore()
    await commit(home, steps[0]!, options)
    expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  })

  test('takes away an older version that was damaged, and goes on', async () => {
    const home = await madeStore()
    await commit(home, steps[0]!, options)
    const versions = join(home, 'tools.lance', '_versions')
    const [, older] = readdirSync(versions)
      .filter((name) => name.endsWith('.manifest'))
      .sort()
    truncateSync(join(versions, older!), 40)
    await commit(home, steps[1]!, options)
    expect(existsSync(join(versions, older!))).toBe(false)
    expect(await diagnoseStore(home)).toMatchObject({ state: 'ready' })
  })
})
