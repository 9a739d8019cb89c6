import { randomUUID } from 'node:crypto'
import { packSums } from '../../../retrieval/index/catalog-counts.ts'
import { OvertakenError } from '../../../store/catalog-writer.ts'
import { changesStanding } from '../../../trust/standing.ts'
import type { Commit } from '../commit/commit.ts'
import { metaRows, statesAfter } from '../head.ts'
import { headAfter, holdsOn, touchedSources } from '../commit/next-head.ts'
import { nameInTime } from '../pointed-table.ts'
import { forgetStates, forgetTables, graceMs } from '../commit/retired.ts'
import {
  cardKinds,
  cardTables,
  type EngineState,
  type StoreHead,
  imageSchema,
  imagesTable,
} from '../schemas.ts'
import { writeImage } from '../vectors.ts'
import { type Claim, type ClaimPace, claimStore } from './engine-claim.ts'
import { changeKind, type EngineWork, type KindChanged, packedSums } from './engine-kind.ts'
import { forgetGone, takeBack } from './engine-rows.ts'

/**
 * Changes a store in an engine. Rows come and go by the number of the commit, which nobody counts before the head says so: that row is
 * replaced last, on the condition that it still is the one that was read.
 *
 * @throws OvertakenError when others changed the same sources meanwhile, or took this writer for gone
 */
export async function engineCommit(commit: Omit<Commit, 'landing'>, pace?: ClaimPace): Promise<void> {
  const { meta, planned, change, signal, onCommitted, onProgress } = commit
  const claim = await claimStore(meta, signal, pace)
  const work: EngineWork = { ...commit, claim, tables: new Map() }
  try {
    const { head } = claim.before
    const isPlannedOn = head?.commit === planned.head?.commit
    if (!isPlannedOn && !holdsOn(head, planned.head, touchedSources(change)))
      throw new OvertakenError('changed the same sources')
    const dead = await takeBackOld(work)
    const next = await nextHead(work)
    signal?.throwIfAborted()
    const stored = await claim.land(next, { dead, landed: landedWith(claim) })
    onCommitted(stored)
    await Promise.allSettled([tidy(work, next, stored.engine)])
  } catch (error) {
    // What cannot be taken back now counts for nothing, and the next writer declares it dead.
    await giveUp(work).catch(() => undefined)
    throw error
  } finally {
    for (const table of work.tables.values()) table.close()
  }
  onProgress(1, 'done')
}

async function giveUp({ claim, tables }: EngineWork): Promise<void> {
  for (const table of tables.values()) await takeBack(table, [claim.number])
  await claim.leave()
}

/** Takes back what was given up so long ago that nobody can be writing it. @returns what is to be remembered of the others */
async function takeBackOld({ connection, claim }: EngineWork): Promise<EngineState['dead']> {
  const { head, engine } = claim.before
  const isOld = ({ found }: EngineState['dead'][number]): boolean => Date.now() - Date.parse(found) >= graceMs
  const old = engine.dead.filter(isOld).map(({ number }) => number)
  if (old.length > 0)
    for (const kind of cardKinds) {
      const name = head?.names[cardTables[kind]]
      if (name === undefined) continue
      const table = await connection.openTable(name)
      await takeBack(table, old)
      table.close()
    }
  return engine.dead.filter((one) => !isOld(one))
}

/** Writes all that the next head names. */
async function nextHead(work: EngineWork): Promise<StoreHead> {
  const { meta, change, claim, statesOf } = work
  const { before, number } = claim
  const { head } = before
  const states = await statesOf(head)
  const isRanked = !changesStanding(states.sources, change.sources)
  const changed: KindChanged[] = []
  for (const kind of cardKinds) changed.push(...(await changeKind(work, kind)))
  const counts = { tool: head?.tools ?? 0, agent: head?.agents ?? 0 }
  const names = { ...head?.names }
  for (const { kind, name, sums } of changed) {
    counts[kind] = sums.get('n') ?? 0
    names[cardTables[kind]] = name
  }
  if (changed.length > 0) names[imagesTable] = await writeSums(work, changed)
  const { named, rows } = statesAfter(head, states, change)
  if (rows.length > 0) await meta.add(metaRows(rows))
  const versions = Object.fromEntries(Object.keys(names).map((name) => [name, number]))
  const written = { names, versions, ...named }
  const isChanged = changed.length > 0 || !isRanked
  return headAfter(head, { commit: randomUUID(), counts, isChanged, ...written }, work)
}

/** Writes what is known of all cards, by kind, into a table that no head named before. @returns its name */
async function writeSums(
  { connection, claim }: EngineWork,
  changed: readonly KindChanged[],
): Promise<string> {
  const name = nameInTime(imagesTable, new Date())
  const table = await connection.createEmptyTable(name, imageSchema)
  const former = claim.before.head?.names[imagesTable]
  for (const kind of cardKinds) {
    const own = changed.find((one) => one.kind === kind)
    if (own !== undefined) await writeImage(table, kind, packSums(own.sums))
    else if (former !== undefined)
      await writeImage(table, kind, (await packedSums(connection, former, kind))!)
  }
  table.close()
  return name
}

/** At most one commit an hour is remembered, and one of those that are older than a day. */
function landedWith({ before: { engine }, number }: Claim): EngineState['landed'] {
  const now = Date.now()
  const isOld = ({ at }: EngineState['landed'][number]): boolean => now - Date.parse(at) >= graceMs
  const recent = engine.landed.filter((one) => !isOld(one))
  const old = engine.landed.filter(isOld).slice(-1)
  const isDue = now - Date.parse(engine.landed.at(-1)?.at ?? '1970-01-01') >= rememberedMs
  return [...old, ...recent, ...(isDue ? [{ number, at: new Date(now).toISOString() }] : [])]
}

const rememberedMs = 60 * 60_000

/** Forgets what no head has named for a day, and rows that went as long ago. Only after the head was written. */
async function tidy(
  { connection, meta, tables }: EngineWork,
  head: StoreHead,
  { dead, landed }: EngineState,
): Promise<void> {
  const now = new Date()
  const old = landed.find(({ at }) => now.getTime() - Date.parse(at) >= graceMs)
  if (old !== undefined) for (const table of tables.values()) await forgetGone(table, old.number, dead)
  await forgetTables(connection, head, now)
  await forgetStates(meta, head, { now, graceMs })
}
