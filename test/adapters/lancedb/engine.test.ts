import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { diagnoseConditionalPuts } from '../../../src/adapters/lancedb/conditional-puts.ts'
import { readStates, readStoredHead } from '../../../src/adapters/lancedb/head.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { recentAfter } from '../../../src/adapters/lancedb/commit/next-head.ts'
import { graceMs } from '../../../src/adapters/lancedb/commit/retired.ts'
import { connectTo, openMeta } from '../../../src/adapters/lancedb/connection.ts'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import { claimStore } from '../../../src/adapters/lancedb/engine/engine-claim.ts'
import { engineCommit } from '../../../src/adapters/lancedb/engine/engine-commit.ts'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { StoreError } from '../../../src/adapters/lancedb/store-location.ts'
import { contentHash } from '../../../src/catalog/identity.ts'
import { closestIdsIn, completeIdsIn } from '../../../src/retrieval/card-ids.ts'
import type { CatalogReader, CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { OvertakenError } from '../../../src/store/catalog-writer.ts'
import { changeOf, idsOf, keepsTheCatalogContract, stateOf } from '../../contracts/catalog.ts'
import { catalogAt, movedOn, type Place, placeIn } from '../../fakes/catalog-series.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { type LancedbServer, lancedbServer } from '../../fixtures/lancedb-server/lancedb-server.ts'
import { outcomeOf } from './some-outcomes.ts'
import { catalogIn, commit, commitSeries, freshReader } from './stores.ts'

let server: LancedbServer
beforeAll(async () => {
  server = await lancedbServer()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

/** An address for a store of its own; the way there lies in the environment. */
function storeIn({ environment }: LancedbServer): string {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  return `db://team-${randomUUID().slice(0, 8)}`
}

/** All cards of what a reader finds, as one catalog: so it is compared with the catalogs that are read whole. */
const readWhole = (reader: CatalogReader): CatalogReader => {
  let read: Awaited<ReturnType<CatalogReader['snapshot']>>[] = []
  return {
    ...reader,
    async snapshot(freshness) {
      const snapshot = await reader.snapshot(freshness)
      const [known, whole] = read
      if (known === snapshot) return whole!
      read = [snapshot, await snapshot.engine!.whole()]
      return read[1]!
    },
  }
}

describe('a store in an engine, read whole', () =>
  keepsTheCatalogContract(() => {
    const catalog = catalogIn(storeIn(server))
    return { ...catalog, reader: () => readWhole(catalog.reader()) }
  }, 'race'))

describe('writers of a store in an engine', () => {
  test('have the claim one at a time, each by a number of its own', async () => {
    const home = storeIn(server)
    await commit(home, { sources: [stateOf('a')] })
    const quick = { beatMs: 10_000, silentMs: 60_000, pollMs: 5 }
    let holders = 0
    const numbers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { meta, connection } = await opened(home)
        const claim = await claimStore(meta, undefined, quick)
        holders += 1
        expect(holders).toBe(1)
        const { head, engine } = claim.before
        holders -= 1
        const commit = randomUUID()
        await claim.land({ ...head!, commit, recent: recentAfter(head, commit, new Set()) }, engine)
        connection.close()
        return claim.number
      }),
    )
    expect(numbers.sort()).toEqual([2, 3, 4, 5, 6, 7])
  })

  test('commit once, when the answer to the head or to rows is lost on its way', async () => {
    const home = storeIn(server)
    await commit(home, { put: [toolCard('a/one')], sources: [stateOf('a')] })
    for (const [lost, id] of [
      [/meta\/merge_insert/, 'a/two'],
      [/tools-[^/]*\/merge_insert/, 'a/three'],
      [/tools-[^/]*\/update/, 'a/two'],
    ] as const) {
      server.loseAnswer(lost)
      await commit(home, { put: [toolCard(id, { description: `after ${lost}` })] })
    }
    const snapshot = await freshReader(home).snapshot()
    expect(await idsIn(snapshot)).toEqual(['a/one', 'a/three', 'a/two'])
    expect(snapshot.indexes.tool.total).toBe(3)
    expect(await diagnoseStore(home)).toMatchObject({ state: 'ready', tools: 3 })
  })

  test('take over from one that ended half way: nothing of it counts, not even what it writes later', async () => {
    const home = storeIn(server)
    await commit(home, { put: [toolCard('a/one'), toolCard('a/two')], sources: [stateOf('a')] })
    const quick = { beatMs: 10_000, silentMs: 300, pollMs: 20 }
    const [paused, other] = await Promise.all([opened(home), opened(home)])
    let release = (): void => undefined
    const waiting = new Promise<void>((done) => {
      release = done
    })
    const model: EmbeddingModel = {
      ...scatteredModel(),
      id: 'slow',
      async embed(texts, role) {
        await waiting
        return scatteredModel().embed(texts, role)
      },
    }
    const change = changeOf({ put: [toolCard('a/late')], remove: ['a/one'] })
    const late = engineCommit({ ...paused, model, change }, quick)
    await vi.waitFor(async () => expect((await readStoredHead(other.meta)).engine.claim?.number).toBe(2))
    const next = changeOf({ put: [toolCard('b/one')], sources: [stateOf('b')] })
    await engineCommit({ ...other, model: null, change: next }, quick)
    release()
    await expect(late).rejects.toThrow(OvertakenError)
    const reader = freshReader(home)
    expect(await idsIn(await reader.snapshot())).toEqual(['a/one', 'a/two', 'b/one'])
    expect((await readStoredHead(other.meta)).engine).toMatchObject({ at: 3, dead: [{ number: 2 }] })

    // A day later what it wrote is forgotten, and so is its number.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + graceMs + 60_000 })
    await commit(home, { put: [toolCard('b/two')] })
    vi.useRealTimers()
    expect((await readStoredHead(other.meta)).engine.dead).toEqual([])
    expect(await idsIn(await reader.snapshot('now'))).toEqual(['a/one', 'a/two', 'b/one', 'b/two'])
  })

  test('rows that went are forgotten a day later', async () => {
    const home = storeIn(server)
    const rows = async () => {
      const { connection, planned } = await opened(home)
      const count = await (await connection.openTable(planned.head!.names.tools!)).countRows()
      connection.close()
      return count
    }
    await commit(home, { put: [toolCard('a/one')] })
    await commit(home, { put: [toolCard('a/one', { description: 'changed' })] })
    await commit(home, { remove: ['a/one'], put: [toolCard('a/two')] })
    expect(await rows()).toBe(3)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * graceMs })
    await commit(home, { put: [toolCard('a/three')] })
    vi.setSystemTime(Date.now() + 2 * graceMs)
    await commit(home, { put: [toolCard('a/four')] })
    vi.useRealTimers()
    expect(await rows()).toBe(3)
    expect(await idsIn(await freshReader(home).snapshot())).toEqual(['a/four', 'a/three', 'a/two'])
  })

  test('readers see all of a commit or nothing while others commit', async () => {
    const home = storeIn(server)
    let place: Place = { tool: 1, agent: 1 }
    await commitSeries(home, place)
    const reader = freshReader(home)
    let isDone = false
    const seen: number[] = []
    const reading = (async () => {
      while (!isDone) {
        const snapshot = await reader.snapshot('now')
        const [ids, sources] = [await snapshot.engine!.ids(), await reader.sources()]
        const after = await reader.snapshot('now')
        if (after !== snapshot) continue
        const wanted = catalogAt(placeIn(sources)).map(({ id }) => id)
        expect(ids).toEqual(wanted.sort())
        seen.push(snapshot.generation)
      }
    })()
    for (const kind of ['tool', 'agent', 'tool'] as const) {
      place = movedOn(place, kind)
      await commitSeries(home, place)
    }
    isDone = true
    await reading
    expect(new Set(seen).size).toBeGreaterThan(1)
  })
})

describe('an engine that Audition cannot use', () => {
  test('is refused before anything is committed, where it ignores the condition of an update', async () => {
    const ignoring = await lancedbServer({ conditions: 'ignored' })
    const home = storeIn(ignoring)
    const writer = await lanceWriter(home, { model: null })
    await expect(writer.commit(changeOf({ put: [toolCard('a/one')] }))).rejects.toThrow(
      /ignores conditional updates \(merge_insert\): of 4 writers that replaced the same row at once/,
    )
    await writer.close()
    expect(await diagnoseConditionalPuts(home)).toMatchObject({
      outcome: 'ignored',
      remedy: expect.stringContaining('LanceDB Enterprise'),
    })
    expect(await diagnoseStore(home)).toMatchObject({ state: 'absent' })
    await ignoring.close()
  })

  test.each([
    { path: /create_index/, lacks: 'making indexes (full text, scalar, IVF_RQ)' },
    { path: /tools-.*\/merge_insert/, lacks: 'replacing a row on a condition (merge_insert)' },
  ])('says that it lacks $lacks', async ({ path, lacks }) => {
    const home = storeIn(server)
    await commit(home, { sources: [stateOf('a')] })
    const writer = await lanceWriter(home, { model: null })
    server.refuse(path)
    await expect(writer.commit(changeOf({ put: [toolCard('a/one')] }))).rejects.toMatchObject({
      message: `The engine of ${home} lacks what Audition needs there: ${lacks}.`,
      remedy: expect.stringContaining('s3://'),
    })
    server.refuse(null)
    await writer.commit(changeOf({ put: [toolCard('a/one')] }))
    await writer.close()
    expect(await idsIn(await freshReader(home).snapshot())).toEqual(['a/one'])
  })

  test('is told in a sentence without a key, and with a wrong one, which is never shown', async () => {
    const home = storeIn(server)
    vi.stubEnv('LANCEDB_API_KEY', 'sk_wrong')
    const failure = await lanceReader(home)
      .snapshot()
      .catch((error: Error) => error)
    expect(failure).toBeInstanceOf(StoreError)
    expect(JSON.stringify(failure) + String(failure)).not.toContain('sk_wrong')
    expect(String(failure)).toContain('401')
    vi.stubEnv('LANCEDB_API_KEY', '')
    for (const use of [
      () => lanceReader(home).snapshot(),
      () => lanceWriter(home, { model: null }),
      () => lanceTrackRecord(home, { embed: async () => null }).list(),
    ])
      await expect(use()).rejects.toMatchObject({
        message: `The store in ${home} cannot be opened: LANCEDB_API_KEY is not set.`,
        remedy: expect.stringContaining('LANCEDB_HOST_OVERRIDE'),
      })
    expect(await diagnoseStore(home)).toMatchObject({
      state: 'unreadable',
      detail: 'LANCEDB_API_KEY is not set',
    })
  })
})

describe('what is asked of an engine', () => {
  test('ids by what they hold, cards and hashes by id', async () => {
    const home = storeIn(server)
    const put = [toolCard('mail/Send_Mail'), toolCard('mail/read'), agentCard("it's/mailer")]
    // They hold what others begin with, and come first.
    await commit(home, { put: [toolCard('a/mail/x'), toolCard('b/mail/x')] })
    await commit(home, { put })
    const { engine, cards, hashes } = await freshReader(home).snapshot()
    expect(await engine!.ids()).toEqual([
      'a/mail/x',
      'b/mail/x',
      "it's/mailer",
      'mail/Send_Mail',
      'mail/read',
    ])
    expect(await engine!.ids({ holding: 'sEnd_' })).toEqual(['mail/Send_Mail'])
    expect(await engine!.ids({ holding: "'s" })).toEqual(["it's/mailer"])
    expect(await engine!.ids({ source: 'mail', kind: 'tool', limit: 1 })).toHaveLength(1)
    const tools = { limit: 2, kind: 'tool' } as const
    expect(await completeIdsIn(engine!, 'MAIL/', tools)).toEqual(['mail/Send_Mail', 'mail/read'])
    expect(await closestIdsIn(engine!, 'mail/send_mial', { limit: 2 })).toContain('mail/Send_Mail')
    expect(await cards(['mail/read', 'no/such', "it's/mailer"])).toEqual([put[1], put[2]])
    expect([...(await hashes(['mail/read']))]).toEqual([['mail/read', contentHash(put[1]!)]])
  })

  test.each(['0.1.0', '0.4.0'])('a server of version %s gives the same candidates', async (version) => {
    const other = await lancedbServer({ version })
    const home = storeIn(other)
    const model = scatteredModel()
    const put = Array.from({ length: 30 }, (_, at) =>
      toolCard(`a/card-${at}`, { description: `word${at} all` }),
    )
    await commit(home, { put }, { model })
    const { engine } = await freshReader(home).snapshot()
    const vectors = await model.embed(['one', 'two'], 'query')
    const found = await engine!.among({ kind: 'tool', terms: ['word7'], vectors })
    expect(idsOf(found, 'tool')).toHaveLength(30)
    const words = await engine!.among({ kind: 'tool', terms: ['word7'], vectors: [] })
    expect(idsOf(words, 'tool')).toEqual(['a/card-7'])
    expect(words.indexes.tool.total).toBe(30)
    await other.close()
  })
})

describe('a track record in an engine', () => {
  test('is added to by rows, replaced, forgotten, and seen by others', async () => {
    const home = storeIn(server)
    const record = lanceTrackRecord(home, { embed: async () => null, recheckMs: 0 })
    const other = lanceTrackRecord(home, { embed: async () => null, recheckMs: 0 })
    expect((await other.index()).size).toBe(0)
    await Promise.all([
      record.add([outcomeOf({ id: 'one', card: 'post/one' }), outcomeOf({ id: 'two', card: 'post/two' })]),
      other.add([outcomeOf({ id: 'three', card: 'post/three' })]),
    ])
    await record.add([outcomeOf({ id: 'one', card: 'post/one' })])
    expect((await other.list()).map(({ id }) => id).sort()).toEqual(['one', 'three', 'two'])
    expect((await other.index()).size).toBe(3)
    expect(await other.forget({ cards: ['post/two'] })).toBe(1)
    expect((await record.index()).size).toBe(2)
    await Promise.all([record.close(), other.close()])
  })
})

/** Opened as a commit finds it. */
async function opened(home: string) {
  const connection = await connectTo(home)
  const meta = (await openMeta({ location: home, connection }))!
  const planned = await readStoredHead(meta)
  const told = {
    opened: new Map(),
    onCommitted: () => undefined,
    onProgress: () => undefined,
    signal: undefined,
  }
  const statesOf = (head: typeof planned.head) => readStates(meta, head)
  const connections = { location: home, connection, reading: connection }
  return { ...connections, meta, planned, statesOf, segmentsFrom: 1, ...told }
}

const idsIn = (snapshot: CatalogSnapshot): Promise<readonly string[]> => snapshot.engine!.ids()
