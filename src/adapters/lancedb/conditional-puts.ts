import { createHash } from 'node:crypto'
import type { Connection, Table } from '@lancedb/lancedb'
import type { ConditionalPuts, WriteCondition } from '../../store/diagnosis.ts'
import { connectTo } from './connection.ts'
import { askingFor } from './engine-connection.ts'
import { headKey, quoted } from './schemas.ts'
import { isEngine, isRemote, reasonOf, StoreError, type StoreLocation } from './store-location.ts'
import { metaRows, replaceHead } from './head.ts'
import { nameInTime } from './pointed-table.ts'

/** Tables that are made to try a store, and dropped again. */
export const trialTable = 'trial'

/** Who write the same thing at once, and how often. */
const contenders = 4
const rounds = 3

/** What became of the trial: honoured, or why the store is not to be trusted. */
type Trial = { readonly outcome: 'honoured' } | { readonly outcome: 'ignored'; readonly detail: string }

/**
 * Tries whether a store keeps the condition of a write, which is what keeps commits of several writers apart: some connections write
 * the same thing at once, and all but one must fail. Where the condition is ignored each is told that it was stored, and all but the
 * last are lost.
 *
 * @throws Error when the store cannot be written
 */
async function tryConditions(location: StoreLocation): Promise<Trial> {
  const connections = await Promise.all(
    Array.from({ length: contenders }, () => connectTo(location, 'commit')),
  )
  try {
    const detail = await (isEngine(location) ? raceForRow(location, connections) : raceForTables(connections))
    return detail === null ? { outcome: 'honoured' } : { outcome: 'ignored', detail }
  } finally {
    for (const one of connections) one.close()
  }
}

/** In object storage each makes the same table (`If-None-Match`). @returns what went wrong, or null */
async function raceForTables(connections: readonly Connection[]): Promise<string | null> {
  const [first] = connections
  // Each has its connection open before they begin, so that they meet.
  await Promise.all(connections.map((one) => one.tableNames()))
  const race = async (name: string): Promise<string | null> => {
    // Whoever is second is refused, or writes a second version: only one can have written the first.
    const making = connections.map(
      async (one, contender) => (await (await one.createTable(name, [{ contender }])).version()) === 1,
    )
    return faultOf(await Promise.allSettled(making), 'made the same object', async (winner) => {
      const table = await first!.openTable(name)
      await table.checkout(1)
      const rows = (await table.query().toArray()) as { contender: number }[]
      return rows.length === 1 && Number(rows[0]!.contender) === winner
    })
  }
  for (let round = 0; round < rounds; round += 1) {
    const name = nameInTime(trialTable, new Date())
    const detail = await race(name).finally(() => first!.dropTable(name).catch(() => undefined))
    if (detail !== null) return detail
  }
  return null
}

/** In an engine each replaces the same row, on the condition that it still is as it was. @returns what went wrong, or null */
async function raceForRow(
  location: StoreLocation,
  connections: readonly Connection[],
): Promise<string | null> {
  const name = nameInTime(trialTable, new Date())
  const [first] = connections
  const race = async (tables: readonly Table[], text: string): Promise<string | null> => {
    const replacing = tables.map((table, at) => replaceHead(table, { text }, { next: { commit: `${at}` } }))
    return faultOf(await Promise.allSettled(replacing), 'replaced the same row', async (winner) => {
      const own = `contains(value, ${quoted(`"commit":"${winner}"`)})`
      return (await tables[0]!.query().where(own).toArray()).length === 1
    })
  }
  try {
    await first!.createTable(name, metaRows([{ key: headKey, value: 'round 0' }]))
    const tables = await Promise.all(connections.map((one) => one.openTable(name)))
    for (let round = 0; round < rounds; round += 1) {
      const detail = await askingFor(location, 'merge_insert', () => race(tables, `round ${round}`))
      if (detail !== null) return detail
      await tables[0]!.update({ where: 'true', values: { value: `round ${round + 1}` } })
    }
    return null
  } finally {
    await first!.dropTable(name).catch(() => undefined)
  }
}

/**
 * @param tried - of each whether it was told that it was first
 * @param stands - whether what such a one wrote stands there
 * @throws Error when nobody could write
 */
async function faultOf(
  tried: readonly PromiseSettledResult<boolean>[],
  what: string,
  stands: (winner: number) => Promise<boolean>,
): Promise<string | null> {
  const won = tried.flatMap((one, at) => (one.status === 'fulfilled' && one.value ? [at] : []))
  if (won.length > 1)
    return `of ${contenders} writers that ${what} at once, ${won.length} were told that they had`
  const refused = tried.find((one) => one.status === 'rejected')
  if (won.length === 0) throw refused?.reason ?? new Error('nobody could write')
  return (await stands(won[0]!))
    ? null
    : 'what the only writer wrote that was told so is not what stands there'
}

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
  const trial = await tryConditions(location)
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
    const trial = await tryConditions(location)
    return trial.outcome === 'honoured'
      ? { ...trial, condition }
      : { ...trial, condition, remedy: remedyFor(location) }
  } catch (error) {
    const detail = error instanceof StoreError ? error.reason : reasonOf(error)
    return {
      outcome: 'failed',
      condition,
      detail,
      remedy: 'Check the address, the keys, and whether they may write there.',
    }
  }
}
