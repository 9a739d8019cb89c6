import type { SourceState } from '../../../catalog/ports.ts'
import { isJsonObject } from '../../../domain/json.ts'
import { type Head, headKey, type MetaRow, metaTable, sourceKey } from '../schemas.ts'
import { reasonOf } from '../store-error.ts'
import type { DamagedStore } from './open-damaged.ts'

/** What could be read of the meta table. */
export type SalvagedMeta = {
  /** The last commit; null when there was none, or its row cannot be read. */
  readonly head: Head | null
  readonly states: readonly SourceState[]
  /** Rows that are neither head nor source, as they are. */
  readonly others: readonly MetaRow[]
  /** What is wrong; null when all of it could be read. */
  readonly damage: string | null
}

/** Reads the rows of the meta table, as far as they can be read. */
export async function salvageMeta(store: DamagedStore): Promise<SalvagedMeta> {
  const { table, damage } = await store.open(metaTable, null)
  if (table === null) return { head: null, states: [], others: [], damage }
  try {
    const rows = (await table.query().toArray()) as MetaRow[]
    return {
      ...partsOf(rows.map(({ key, value }) => ({ key, value }))),
      ...(damage === null ? {} : { damage }),
    }
  } catch (error) {
    return { head: null, states: [], others: [], damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

function partsOf(rows: readonly MetaRow[]): SalvagedMeta {
  const broken: string[] = []
  const states: SourceState[] = []
  const others: MetaRow[] = []
  let head: Head | null = null
  for (const row of rows) {
    const { key, value } = row
    if (key === headKey) {
      head = headOf(value)
      if (head === null) broken.push('the head')
    } else if (key.startsWith(sourceKey(''))) {
      // An empty value is a source that is gone.
      const state = value === '' ? null : stateOf(value, key)
      if (state) states.push(state)
      else if (value !== '') broken.push(`the state of source "${key.slice(sourceKey('').length)}"`)
    } else others.push(row)
  }
  const damage = broken.length === 0 ? null : `${broken.join(', ')} cannot be read`
  return { head, states, others, damage }
}

function headOf(value: string): Head | null {
  const head = jsonOf(value)
  return isJsonObject(head) &&
    typeof head.layout === 'number' &&
    typeof head.generation === 'number' &&
    isJsonObject(head.versions)
    ? (head as unknown as Head)
    : null
}

function stateOf(value: string, key: string): SourceState | null {
  const state = jsonOf(value)
  return isJsonObject(state) &&
    sourceKey(String(state.id)) === key &&
    typeof state.location === 'string' &&
    Array.isArray(state.problems)
    ? (state as unknown as SourceState)
    : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
