import type { Connection, Table } from '@lancedb/lancedb'
import type { StoreAtHead } from '../connection.ts'
import {
  cardTables,
  type StoreHead,
  headKey,
  imagesTable,
  type MetaRow,
  quoted,
  segmentStems,
  stateOfLayout1,
  statePrefix,
  vectorTables,
} from '../schemas.ts'
import { isRemote } from '../store-location.ts'
import { trialTable } from '../conditional-puts.ts'
import { stemOfName, timeOfName } from '../pointed-table.ts'

/**
 * How long what a head of object storage named is kept after another took its place, and what a commit made before it is taken for
 * left behind, in milliseconds. No search, evaluation or index run lives as long.
 */
export const graceMs = 24 * 60 * 60_000

/** The names in the store that a head stands on: tables, and the states. */
export const namedBy = ({
  versions,
  names,
  state,
}: Pick<StoreHead, 'versions' | 'names' | 'state'>): readonly string[] => [
  ...Object.keys(versions).map((table) => names[table] ?? table),
  state,
]

/** What is kept beside what a head names: what the heads before it named, while it is young. */
export function retiredAfter(
  before: StoreHead | null,
  named: readonly string[],
  now: Date,
): StoreHead['retired'] {
  if (before === null) return []
  const still = before.retired.filter(({ at }) => now.getTime() - Date.parse(at) < graceMs)
  const left = namedBy(before)
    .filter((name) => !named.includes(name))
    .map((name) => ({ name, at: now.toISOString() }))
  return [...left, ...still]
}

const catalogTables: ReadonlySet<string> = new Set([
  ...Object.values(cardTables),
  ...Object.values(vectorTables),
  ...Object.values(segmentStems),
  imagesTable,
  trialTable,
])

/**
 * Versions of the meta table from one look at the store to the next, in object storage, where a look costs requests and disturbs other
 * writers. A commit makes one of them, and whoever reads the head reads something of each that was not merged yet.
 */
const versionsPerLook = 8

/**
 * Forgets what the head does not name: in a local folder at once, since nobody else writes there and a reader begins anew; in object
 * storage once it is so old that nobody can be reading or writing it. Only after the head was written.
 *
 * @param of.before - the head whose place was taken: what it kept and this one does not is due
 */
export async function forgetUnnamed(
  { location, connection, head }: StoreAtHead,
  of: { readonly before: StoreHead | null; readonly landing: () => Promise<Table> },
): Promise<void> {
  const now = new Date()
  const meta = await of.landing()
  if (!isRemote(location)) {
    await forgetStates(meta, head, { now, graceMs: 0 })
    return prune(meta)
  }
  const isLook = (await meta.version()) % versionsPerLook === 0
  const isOld = ({ at }: StoreHead['retired'][number]): boolean => now.getTime() - Date.parse(at) >= graceMs
  if (!isLook && of.before?.retired.some(isOld) !== true) return
  await forgetTables(connection, head, now)
  await forgetStates(meta, head, { now, graceMs })
  if (isLook) await meta.optimize({ cleanupOlderThan: new Date(now.getTime() - graceMs) })
}

/**
 * Forgets what no head has named for so long, and what killed processes left as long ago. Only after the head was written.
 */
export async function forgetTables(connection: Connection, head: StoreHead, now: Date): Promise<void> {
  const kept = new Set([...namedBy(head), ...head.retired.map(({ name }) => name)])
  for (const name of await connection.tableNames()) {
    const isOurs = catalogTables.has(stemOfName(name))
    // Tables of layout 1 have no time in their names, and were retired by the first commit of this one.
    const isOld = now.getTime() - (timeOfName(name) ?? 0) >= graceMs
    if (isOurs && isOld && !kept.has(name)) await connection.dropTable(name)
  }
}

/** Forgets states that no head names, and that are as old as that. */
export async function forgetStates(
  meta: Table,
  head: StoreHead,
  { now, graceMs: grace }: { readonly now: Date; readonly graceMs: number },
): Promise<void> {
  const kept = new Set([head.state, ...(grace > 0 ? head.retired.map(({ name }) => name) : [])])
  const rows = (await meta
    .query()
    .where(`key <> ${quoted(headKey)}`)
    .select(['key'])
    .toArray()) as Pick<MetaRow, 'key'>[]
  const states = new Set(rows.flatMap(({ key }) => stateOfKey(key) ?? []))
  const old = [...states].filter(
    (state) => !kept.has(state) && now.getTime() - (timeOfName(state) ?? 0) >= grace,
  )
  if (old.length === 0) return
  const conditions = old.flatMap((state) =>
    ['source:', 'review:'].map((what) => `starts_with(key, ${quoted(statePrefix(state) + what)})`),
  )
  await meta.delete(conditions.join(' OR '))
}

/** The states that a row belongs to; null when it is of something else. */
export function stateOfKey(key: string): string | null {
  if (/^(?:source|review):/.test(key)) return stateOfLayout1
  return /^(state-[^/]+)\/(?:source|review):/.exec(key)?.[1] ?? null
}

/** Older than every version: compacts without forgetting any, since readers and the head may still name them. */
const never = new Date(0)
/** Younger than every version, also than those of a time when the clock ran ahead; LanceDB takes no date much later. */
const always = new Date(Date.UTC(2200, 0))
/** Rounds after which a table that keeps changing is taken as it is. */
const mostRounds = 5

/** Makes an older version the newest again, under a new number: what came after it was never committed. */
export async function rollBack(table: Table, version: number): Promise<void> {
  if ((await table.version()) === version) return
  await table.checkout(version)
  await table.restore()
}

/**
 * Compacts a table and brings its indexes up to date, until nothing is left to compact. Fragments are only merged once
 * both are indexed, so a table is at rest when a round that began with current indexes merged nothing. (An index may
 * be written anew in every round: waiting for a version that stays would never end.)
 *
 * @returns whether it is at rest, and {@link prune} will keep its newest version
 */
export async function settle(table: Table): Promise<boolean> {
  for (let round = 0; round < mostRounds; round++) {
    const before = await table.version()
    const { compaction } = await table.optimize({ cleanupOlderThan: never })
    const isMerged = compaction.fragmentsRemoved + compaction.fragmentsAdded > 0
    if ((await table.version()) === before || (round > 0 && !isMerged)) return true
  }
  return false
}

/**
 * Forgets all but the newest version of a table at rest, and what killed runs left behind. Only after the head was
 * written, and only by the process that holds the store: a reader still on an old version opens the new one. LanceDB
 * compacts, prunes and then indexes, so that a version beyond the one that was kept may appear.
 */
export async function prune(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: always, deleteUnverified: true })
}
