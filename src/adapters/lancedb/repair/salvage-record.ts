import { briefOutcome } from '../../../domain/outcome.ts'
import type { Table } from '@lancedb/lancedb'
import { isJsonObject } from '../../../domain/json.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import { parseSealed } from '../../../domain/text/sealed-json.ts'
import { type StoreConnection, isMade } from '../connection.ts'
import { readSearchedRows } from '../record/record-rows.ts'
import { reasonOf } from '../store-location.ts'
import { outcomeOf, outcomesOfGone, versionsGone } from './gone-versions.ts'
import { DamagedStore, type EnterTable, type DamagedTable, readableRows } from './open-damaged.ts'
import type { ModelList } from '../../../domain/model-card.ts'
import type { SourceState } from '../../../store/source-state.ts'
import { modelsTable } from '../schemas.ts'

/** The track record as far as it can be read. */
export type SalvagedRecord = {
  readonly outcomes: readonly Outcome[]
  /** Ids of outcomes that cannot be read; null when nothing tells how many there are. */
  readonly lostIds: readonly string[] | null
  /** Versions that are known to have been written and are gone, for people; null when none are. */
  readonly gone: string | null
  /** What is wrong with it; null when nothing is. */
  readonly damage: string | null
}

/** Reads all outcomes of a table that can be read, at the newest version that opens. */
export async function salvageRecord(
  open: StoreConnection,
  enter: EnterTable,
  table: string,
): Promise<SalvagedRecord> {
  const store = new DamagedStore(open, enter)
  try {
    const salvaged = await outcomesOf(await store.open(table, null))
    if (salvaged.damage === null) return { ...salvaged, gone: null }
    const outcomes = [...salvaged.outcomes, ...outcomesOfGone(open.location, table)]
    return { ...salvaged, outcomes, gone: versionsGone(open.location, table) }
  } finally {
    store.close()
  }
}

async function outcomesOf({ table, damage, isNewest }: DamagedTable): Promise<Omit<SalvagedRecord, 'gone'>> {
  if (table === null) return { outcomes: [], lostIds: null, damage }
  try {
    const { values, unreadable } = await readableRows(table, 'outcome')
    const outcomes = values.flatMap((text) => outcomeOf(text) ?? [])
    const broken = unreadable + values.length - outcomes.length
    const wrong =
      damage ??
      (broken > 0
        ? `${broken} of its rows cannot be read, or were changed`
        : await damageOfColumns(table, outcomes).catch(reasonOf))
    if (wrong === null) return { outcomes, lostIds: [], damage: null }
    const ids = await readableRows(table, 'id')
    const known = new Set(outcomes.map(({ id }) => id))
    const lostIds = ids.values.filter((id) => !known.has(id))
    // Ids may be damaged too: they count when they are as many as the outcomes that cannot be read.
    const areIdsCertain = isNewest && (broken === 0 || lostIds.length === broken)
    return { outcomes, lostIds: areIdsCertain ? lostIds.slice(0, broken) : null, damage: wrong }
  } catch (error) {
    return { outcomes: [], lostIds: null, damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

/** What is wrong with the columns that a search reads instead of the outcomes. */
async function damageOfColumns(table: Table, outcomes: readonly Outcome[]): Promise<string | null> {
  const rows = new Map((await readSearchedRows(table)).map((row) => [row.id, row]))
  const wrong = outcomes.find((outcome) => {
    const row = rows.get(outcome.id)
    const written = Object.entries({ ...briefOutcome(outcome), cardHash: outcome.cardHash })
    return !written.every(([name, value]) => row?.[name as keyof typeof row] === value)
  })
  return wrong === undefined ? null : `what a search reads of outcome ${wrong.id} is not what was written`
}

/** What sources say of language models, as far as it can be read. */
export type SalvagedModels = {
  readonly lists: readonly { readonly source: string; readonly list: ModelList }[]
  /** Sources whose lists are gone: to be read again. */
  readonly lost: readonly SourceState[]
  /** What is wrong; null when nothing is. */
  readonly damage: string | null
}

/** Reads all lists that can be read. @param states - those of the sources, which say whether they had a list */
export async function salvageModels(
  open: StoreConnection,
  enter: EnterTable,
  states: readonly SourceState[],
): Promise<SalvagedModels> {
  const expected = states.filter(({ models }) => models !== undefined)
  if (expected.length === 0 && !isMade(open.location, modelsTable))
    return { lists: [], lost: [], damage: null }
  const store = new DamagedStore(open, enter)
  try {
    const { table, damage } = await store.open(modelsTable, null)
    const rows = table === null ? [] : await rowsOf(table).catch(() => [])
    table?.close()
    const lists = rows.flatMap((row) => row ?? [])
    const known = new Set(lists.map(({ source }) => source))
    const lost = expected.filter(({ id }) => !known.has(id))
    const wrong =
      lists.length < rows.length || lost.length > 0 ? 'lists cannot be read, or were changed' : null
    return { lists, lost, damage: damage ?? wrong }
  } catch (error) {
    return { lists: [], lost: expected, damage: reasonOf(error) }
  } finally {
    store.close()
  }
}

/** Row by row, null for one that is not what was written: what is wrong with one leaves the others. */
async function rowsOf(table: Table): Promise<readonly (SalvagedModels['lists'][number] | null)[]> {
  const count = await table.countRows()
  const rows: (SalvagedModels['lists'][number] | null)[] = []
  for (let at = 0; at < count; at += 1) {
    const query = table.query().select(['source', 'list']).offset(at).limit(1)
    rows.push(await query.toArrow().then(listOf, () => null))
  }
  return rows
}

function listOf(
  rows: Awaited<ReturnType<ReturnType<Table['query']>['toArrow']>>,
): SalvagedModels['lists'][number] | null {
  const [source, text]: readonly unknown[] = ['source', 'list'].map((name) => rows.getChild(name)?.get(0))
  try {
    const list = typeof text === 'string' ? parseSealed(text) : null
    const isWhole = isJsonObject(list) && Array.isArray(list.models) && Array.isArray(list.outcomes)
    return isWhole && typeof source === 'string' ? { source, list: list as unknown as ModelList } : null
  } catch {
    return null
  }
}
