import { createHash } from 'node:crypto'
import type { Connection, Table } from '@lancedb/lancedb'
import type { ConditionalPuts, WriteCondition } from '../../../store/diagnosis.ts'
import { connectTo } from '../connection.ts'
import { tryConditionalUpdates } from '../engine/engine-trial.ts'
import { quoted } from '../schemas.ts'
import { isEngine, isRemote, reasonOf, StoreError, type StoreLocation } from '../store-location.ts'
import { metaRows } from './head.ts'
import { nameInTime } from './pointed-table.ts'

/** Tables that are made to try a store, and dropped again. */
export const trialTable = 'trial'

/** Who make the same table at once, and how often. */
const contenders = 4
const rounds = 3

/** What became of the trial: honoured, or why the store is not to be trusted. */
type Trial = { readonly outcome: 'honoured' } | { readonly outcome: 'ignored'; readonly detail: string }

/**
 * Tries whether an object store honours conditional puts (`If-None-Match`), which is what keeps commits of several writers apart: some
 * connections make the same table at once, and all but one must fail. Where the condition is ignored all of them write the same object,
 * and all but the last are lost while each is told that it was stored.
 *
 * @throws Error when the store cannot be written
 */
async function tryConditionalPuts(location: StoreLocation): Promise<Trial> {
  if (isEngine(location)) {
    const detail = await tryConditionalUpdates(location, trialTable)
    return detail === null ? { outcome: 'honoured' } : { outcome: 'ignored', detail }
  }
  const connections = await Promise.all(
    Array.from({ length: contenders }, () => connectTo(location, 'commit')),
  )
  try {
    // Each has its connection open before they begin, so that they meet.
    await Promise.all(connections.map((one) => one.tableNames()))
    for (let round = 0; round < rounds; round += 1) {
      const detail = await race(connections)
      if (detail !== null) return { outcome: 'ignored', detail }
    }
    return { outcome: 'honoured' }
  } finally {
    for (const one of connections) one.close()
  }
}

/** @returns what went wrong, or null */
async function race(connections: readonly Connection[]): Promise<string | null> {
  const name = nameInTime(trialTable, new Date())
  const tried = await Promise.allSettled(
    connections.map(async (one, contender) => (await one.createTable(name, [{ contender }])).version()),
  )
  // Whoever is second is refused, or writes a second version: only one can have written the first.
  const won = tried.flatMap((one, contender) =>
    one.status === 'fulfilled' && one.value === 1 ? [contender] : [],
  )
  const [first] = connections
  try {
    if (won.length === 0) throw failureOf(tried)
    if (won.length > 1)
      return `of ${contenders} writers that made the same object at once, ${won.length} were told that they had`
    const table = await first!.openTable(name)
    await table.checkout(1)
    const rows = (await table.query().toArray()) as { contender: number }[]
    return rows.length === 1 && Number(rows[0]!.contender) === won[0]
      ? null
      : 'what the only writer wrote that was told so is not what stands there'
  } finally {
    await first!.dropTable(name).catch(() => undefined)
  }
}

const failureOf = (tried: readonly PromiseSettledResult<unknown>[]): unknown =>
  tried.find((one): one is PromiseRejectedResult => one.status === 'rejected')?.reason

const conditionOf = (location: StoreLocation): WriteCondition =>
  isEngine(location) ? 'conditional updates (merge_insert)' : 'conditional puts (If-None-Match)'

/** What to do about a store that is not to be trusted. */
const remedyFor = (location: StoreLocation): string =>
  isEngine(location)
    ? 'Take a newer LanceDB Enterprise, or keep the store in object storage: AUDITION_HOME=s3://bucket/path.'
    : 'Use a bucket whose server honours If-None-Match, as Amazon S3 does, or let DynamoDB keep the commits apart: AUDITION_HOME=s3+ddb://bucket/path?ddbTableName=table'

/**
 * Makes sure that a store keeps commits apart before anything is committed there. What was tried is remembered in the store, for this
 * address of it; a local folder needs none of this.
 *
 * @param meta - null before anything was written: then the store is tried, and whoever makes it remembers that
 * @param landing - the same table, to be written
 * @throws StoreError when it does not
 */
export async function requireConditionalPuts(
  location: StoreLocation,
  meta: Table | null,
  landing: () => Promise<Table>,
): Promise<void> {
  if (!isRemote(location)) return
  const key = rememberedKey(location)
  if (meta !== null && (await meta.countRows(`key = ${quoted(key)}`)) > 0) return
  const trial = await tryConditionalPuts(location)
  if (trial.outcome === 'ignored') throw untrusted(location, trial.detail)
  if (meta !== null) await (await landing()).add(metaRows([rememberedRow(location)]))
}

/** The row that remembers a trial that went well. */
export const rememberedRow = (location: StoreLocation) => ({
  key: rememberedKey(location),
  value: new Date().toISOString(),
})

/** The same bucket may be reached over several servers: the library takes the endpoint from the environment. */
function rememberedKey(location: StoreLocation): string {
  const endpoints = Object.entries(process.env).filter(([name]) =>
    /^(?:(?:aws|azure|google)_.*endpoint|lancedb_host_override$)/i.test(name),
  )
  const address = JSON.stringify([location, endpoints.sort(([a], [b]) => (a < b ? -1 : 1))])
  return `conditional-puts:${createHash('sha256').update(address).digest('hex').slice(0, 32)}`
}

function untrusted(location: StoreLocation, detail: string): StoreError {
  const reason = `it ignores ${conditionOf(location)}: ${detail}`
  return new StoreError(
    `The store in ${location} is not written: ${reason}. Two writers would destroy each other's commits unnoticed.`,
    remedyFor(location),
    { reason },
  )
}

/** Tries a store for `doctor`. Never throws. */
export async function diagnoseConditionalPuts(location: StoreLocation): Promise<ConditionalPuts> {
  if (!isRemote(location)) return { outcome: 'needless' }
  const condition = conditionOf(location)
  try {
    const trial = await tryConditionalPuts(location)
    return trial.outcome === 'honoured'
      ? { ...trial, condition }
      : { ...trial, condition, remedy: remedyFor(location) }
  } catch (error) {
    const detail = error instanceof StoreError ? error.reason : reasonOf(error)
    return {
      ...{ outcome: 'failed', condition, detail },
      remedy: 'Check the address, the keys, and whether they may write there.',
    }
  }
}
