import type { Table } from '@lancedb/lancedb'
import { metaRows, replaceHead } from '../commit/head.ts'
import { nameInTime } from '../commit/pointed-table.ts'
import { type Head, headKey, quoted } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import { askingFor, connectToEngine } from './engine-connection.ts'

/** Who replace the same row at once, and how often. */
const contenders = 4
const rounds = 3

/**
 * Tries whether an engine keeps the condition of an update, which is what keeps commits of several writers apart: some connections
 * replace the same row at once, each on the condition that it still is as it was, and one alone may be told that it did.
 *
 * @param stem - what tables for that are called
 * @returns what went wrong, or null
 */
export async function tryConditionalUpdates(location: StoreLocation, stem: string): Promise<string | null> {
  const connections = await Promise.all(Array.from({ length: contenders }, () => connectToEngine(location)))
  const name = nameInTime(stem, new Date())
  try {
    await connections[0]!.createTable(name, metaRows([{ key: headKey, value: 'round 0' }]))
    const tables = await Promise.all(connections.map((one) => one.openTable(name)))
    for (let round = 0; round < rounds; round += 1) {
      const detail = await askingFor(location, 'merge_insert', () => race(tables, `round ${round}`))
      if (detail !== null) return detail
      await tables[0]!.update({ where: 'true', values: { value: `round ${round + 1}` } })
    }
    return null
  } finally {
    await connections[0]!.dropTable(name).catch(() => undefined)
    for (const one of connections) one.close()
  }
}

async function race(tables: readonly Table[], text: string): Promise<string | null> {
  const sent = tables.map((_, contender) => ({ commit: `${contender}` }) as Head)
  const tried = await Promise.allSettled(
    tables.map((table, at) => replaceHead(table, { text }, { next: sent[at]! })),
  )
  const won = tried.flatMap((one, at) => (one.status === 'fulfilled' && one.value ? [at] : []))
  if (won.length > 1)
    return `of ${tables.length} writers that replaced the same row at once, ${won.length} were told that they had`
  const [failed] = tried.filter((one): one is PromiseRejectedResult => one.status === 'rejected')
  if (won.length === 0) throw failed?.reason ?? new Error('nobody could replace a row')
  const rows = await tables[0]!
    .query()
    .where(`contains(value, ${quoted(`"commit":"${won[0]}"`)})`)
    .toArray()
  return rows.length === 1 ? null : 'what the only writer wrote that was told so is not what stands there'
}
