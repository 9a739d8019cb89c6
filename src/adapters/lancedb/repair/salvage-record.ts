import type { Connection } from '@lancedb/lancedb'
import { isJsonObject } from '../../../domain/json.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import { readSearchedRows } from '../record-columns.ts'
import { recordTable } from '../schemas.ts'
import { reasonOf } from '../store-error.ts'
import type { StoreLocation } from '../store-location.ts'
import { damagedStore, type Opened } from './open-damaged.ts'
import { readableRows } from './readable-rows.ts'

/** The track record as far as it can be read. */
export type SalvagedRecord = {
  readonly outcomes: readonly Outcome[]
  /** What is wrong with it; null when nothing is. */
  readonly damage: string | null
}

/** Reads all outcomes that can be read, at the newest version that opens. */
export async function salvageRecord(
  location: StoreLocation,
  connection: Connection,
): Promise<SalvagedRecord> {
  const store = damagedStore(location, connection)
  try {
    return await outcomesOf(await store.open(recordTable, null))
  } finally {
    store.close()
  }
}

async function outcomesOf({ table, damage }: Opened): Promise<SalvagedRecord> {
  if (table === null) return { outcomes: [], damage }
  try {
    const { values, unreadable } = await readableRows(table, 'outcome')
    const outcomes = values.flatMap((text) => outcomeOf(text) ?? [])
    const broken = unreadable + values.length - outcomes.length
    if (damage !== null) return { outcomes, damage }
    if (broken > 0) return { outcomes, damage: `${broken} of its rows cannot be read` }
    return { outcomes, damage: await readSearchedRows(table).then(() => null, reasonOf) }
  } catch (error) {
    return { outcomes: [], damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

function outcomeOf(text: string): Outcome | null {
  try {
    const outcome: unknown = JSON.parse(text)
    if (!isJsonObject(outcome)) return null
    const { id, card, task, time } = outcome
    const isWhole =
      [id, card, task].every((part) => typeof part === 'string') && !Number.isNaN(Date.parse(String(time)))
    return isWhole ? (outcome as unknown as Outcome) : null
  } catch {
    return null
  }
}
