import type { Table } from '@lancedb/lancedb'
import { isJsonObject } from '../../../domain/json.ts'
import type { ModelList } from '../../../domain/model-card.ts'
import { parseSealed } from '../../../domain/text/sealed-json.ts'
import type { SourceState } from '../../../store/source-state.ts'
import { isMade, type OpenStore } from '../connection.ts'
import { modelsTable } from '../schemas.ts'
import { reasonOf } from '../store-location.ts'
import { DamagedStore, type EnterTable } from './open-damaged.ts'

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
  open: OpenStore,
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
