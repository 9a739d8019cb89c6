import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { StoreError } from '../../../src/adapters/lancedb/store-location.ts'
import { changeOf, idsOf } from '../../contracts/catalog.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { nearestCards } from '../../fakes/nearest-cards.ts'
import { movedOn, catalogAt, changeTo, type Place, placeIn } from '../../fakes/catalog-series.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import {
  bytesIn,
  commit,
  commitSeries,
  expectWholeSeries,
  freshReader,
  listing,
  storeFolder,
} from './stores.ts'

const start: Place = { tool: 1, agent: 1 }
const both: Place = { tool: 2, agent: 2 }

/** Tries to bring a store to a place; `onStep` may stop it. */
async function attempt(
  home: string,
  place: Place,
  onStep: (count: number, step: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  let count = 0
  const writer = await lanceWriter(home, { model: scatteredModel() })
  try {
    await writer.commit(await changeTo(writer, place), (_, step) => onStep(count++, step), signal)
  } finally {
    await writer.close()
  }
}

describe('a commit that does not end', () => {
  test('leaves the old catalog, whichever step it was stopped at, and the next one begins from there', async () => {
    const home = storeFolder()
    await commitSeries(home, start)
    const steps: string[] = []
    const practice = storeFolder()
    await commitSeries(practice, start)
    await attempt(practice, both, (_, step) => steps.push(step))
    expect(steps.at(-1)).toBe('done')
    expect(new Set(steps)).toEqual(
      new Set(['writing tools', 'embedding tools', 'writing agents', 'embedding agents', 'done']),
    )
    for (const [at] of steps.slice(0, -1).entries()) {
      const stop = new AbortController()
      const reason = new Error('enough')
      const stopped = attempt(
        home,
        both,
        (count) => (count === at ? stop.abort(reason) : undefined),
        stop.signal,
      )
      await expect(stopped).rejects.toBe(reason)
      expect(await expectWholeSeries(home)).toEqual(start)
    }
    await commitSeries(home, movedOn(start, 'agent'))
    expect(await expectWholeSeries(home)).toEqual(movedOn(start, 'agent'))
  })

  test.each([
    { why: 'whose tools were written', at: 'writing tools', next: 'agent' as const },
    { why: 'whose tools were embedded', at: 'embedding tools', next: 'agent' as const },
    { why: 'whose agents were embedded', at: 'embedding agents', next: 'tool' as const },
  ])('$why does not show in a commit of the other kind', async ({ at, next }) => {
    const home = storeFolder()
    await commitSeries(home, start)
    const stopped = attempt(home, both, (_, step) => {
      if (step === at) throw new Error('stopped')
    })
    await expect(stopped).rejects.toThrow('stopped')
    await commitSeries(home, movedOn(start, next))
    expect(await expectWholeSeries(home)).toEqual(movedOn(start, next))
  })

  test('does not show in a commit that only changes states of sources', async () => {
    const home = storeFolder()
    const model = scatteredModel()
    await commit(home, { put: [toolCard('a/one')] }, { model })
    const failing = { ...model, embed: () => Promise.reject(new Error('the model is gone')) }
    await expect(commit(home, { put: [toolCard('a/two')] }, { model: failing })).rejects.toThrow(
      'the model is gone',
    )
    await commit(home, {}, { model })
    const snapshot = await freshReader(home).snapshot()
    expect(idsOf(snapshot, 'tool')).toEqual(['a/one'])
    const [vector] = await model.embed(['anything'], 'query')
    expect(nearestCards(snapshot.indexes.tool, vector!, 5, null)).toHaveLength(1)
  })

  test('to another model keeps the vectors of the old one', async () => {
    const home = storeFolder()
    await commitSeries(home, start)
    const half = scatteredModel({
      id: 'new',
      dimensions: 3,
      onEmbed: () => {
        throw new Error('half way')
      },
    })
    await expect(commit(home, {}, { model: half })).rejects.toThrow('half way')
    expect(await expectWholeSeries(home)).toEqual(start)
    await commitSeries(home, both)
    expect(await expectWholeSeries(home)).toEqual(both)
  })
})

describe('a store after many commits', () => {
  test('is as large as a fresh one, and keeps one version of each table', async () => {
    const home = storeFolder()
    let place = start
    for (let turn = 0; turn < 9; turn++) {
      place = movedOn(place, turn % 3 === 0 ? 'agent' : 'tool')
      await commitSeries(home, place)
    }
    expect(await expectWholeSeries(home)).toEqual(place)
    const fresh = storeFolder()
    await commitSeries(fresh, place)
    expect(bytesIn(home)).toBeLessThan(1.3 * bytesIn(fresh))
    expect(listing(home).length).toBeLessThanOrEqual(listing(fresh).length + 10)
    const connection = await connectTo(home)
    for (const name of await connection.tableNames()) {
      expect(await (await connection.openTable(name)).listVersions(), name).toHaveLength(1)
    }
  })

  test('holds no vectors once it has no model', async () => {
    const home = storeFolder()
    await commitSeries(home, start)
    await commit(home, {})
    const connection = await connectTo(home)
    expect(await connection.tableNames()).toEqual(['agents', 'images', 'meta', 'tools'])
    await commitSeries(home, both)
    expect(await expectWholeSeries(home)).toEqual(both)
  })
})

describe('a preview', () => {
  test('of no store makes none', async () => {
    const home = storeFolder()
    const writer = await lanceWriter(home, { model: null, intent: 'preview' })
    expect([await writer.sources(), await writer.hashes('a'), await writer.isCurrent()]).toEqual([
      [],
      new Map(),
      false,
    ])
    await expect(writer.commit(changeOf())).rejects.toThrow('takes no commit')
    await writer.close()
    expect(() => listing(home)).toThrow(/ENOENT/)
  })

  test('writes nothing, waits for nobody, and goes on when a commit takes away what it reads', async () => {
    const home = storeFolder()
    await commitSeries(home, start)
    const holder = await lanceWriter(home, { model: scatteredModel() })
    const before = listing(home)
    const preview = await lanceWriter(home, { model: scatteredModel(), intent: 'preview' })
    expect((await preview.hashes('tool-source-0')).size).toBeGreaterThan(0)
    expect(placeIn(await preview.sources())).toEqual(start)
    expect(listing(home)).toEqual(before)
    await holder.commit(await changeTo(holder, both))
    await holder.close()
    const expected = catalogAt(both).filter(({ source }) => source === 'tool-source-0')
    expect((await preview.hashes('tool-source-0')).size).toBe(expected.length)
    await preview.close()
  })
})

describe('a reader in another process than the writer', () => {
  let compiled: CompiledScript
  beforeAll(() => {
    compiled = compileScript('test/fixtures/commit-for-ever.ts')
  })
  afterAll(() => compiled.remove())

  test('sees all of a commit or nothing', async () => {
    const home = storeFolder()
    await commitSeries(home, start)
    const child = spawn(process.execPath, [compiled.script, home, 'tool'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let commits = 0
    createInterface({ input: child.stdout }).on('line', (line) => {
      commits += line.startsWith('committed') ? 1 : 0
    })
    const reader = lanceReader(home, { recheckMs: 0 })
    const seen = new Set<number>()
    let retries = 0
    while (commits < 8) {
      const from = placeIn(await reader.sources())
      const snapshot = await reader.snapshot('now')
      const all = [...idsOf(snapshot, 'tool'), ...idsOf(snapshot, 'agent')]
      const cards = await snapshot.cards(all).catch((error: unknown) => {
        expect(error).toBeInstanceOf(StoreError)
        return null
      })
      if (cards === null) {
        // The version was pruned between two reads: what a search does then is to begin again on the new one.
        expect((await reader.snapshot('now')).generation).toBeGreaterThan(snapshot.generation)
        retries += 1
        continue
      }
      const to = placeIn(await reader.sources())
      const possible = placesBetween(from, to).map((place) => JSON.stringify(sorted(catalogAt(place))))
      expect(possible).toContain(JSON.stringify(sorted(cards)))
      seen.add(snapshot.generation)
    }
    child.kill('SIGKILL')
    await ended
    await reader.close()
    expect(seen.size, `${retries} retries`).toBeGreaterThan(3)
  })
})

const sorted = <T extends { readonly id: string }>(cards: readonly T[]): readonly T[] =>
  [...cards].sort((a, b) => (a.id < b.id ? -1 : 1))

const placesBetween = (from: Place, to: Place): readonly Place[] =>
  Array.from({ length: to.tool - from.tool + 1 }, (_, tool) =>
    Array.from({ length: to.agent - from.agent + 1 }, (__, agent) => ({
      tool: from.tool + tool,
      agent: from.agent + agent,
    })),
  ).flat()
