import { isJsonObject } from '../../../domain/json.ts'
import { parseSealed } from '../../../domain/text/sealed-json.ts'
import type { SourceReview } from '../../../store/source-review.ts'
import type { SourceState } from '../../../store/source-state.ts'
import { withLayout1 } from '../commit/head.ts'
import { timeOfName } from '../commit/pointed-table.ts'
import { stateOfKey } from '../commit/retired.ts'
import { type Head, headKey, type MetaRow, metaTable, stateOfLayout1, statePrefix } from '../schemas.ts'
import { reasonOf } from '../store-location.ts'
import type { DamagedStore } from './open-damaged.ts'

/** What could be read of the meta table. */
export type SalvagedMeta = {
  /** The last commit; null when there was none, or its row cannot be read. */
  readonly head: Head | null
  readonly states: readonly SourceState[]
  readonly reviews: readonly SourceReview[]
  /** Rows that are none of these, as they are. */
  readonly others: readonly MetaRow[]
  /** Ids of sources and keys of reviews that are there and cannot be read. */
  readonly unread: readonly string[]
  /** What is wrong; null when all of it could be read. */
  readonly damage: string | null
}

const nothing = { head: null, states: [], reviews: [], others: [], unread: [] }

/** Reads the rows of the meta table, as far as they can be read. */
export async function salvageMeta(store: DamagedStore): Promise<SalvagedMeta> {
  const { table, damage } = await store.open(metaTable, null)
  if (table === null) return { ...nothing, damage }
  try {
    const rows = (await table.query().toArray()) as MetaRow[]
    const parts = partsOf(rows.map(({ key, value }) => ({ key, value })))
    return { ...parts, damage: damage ?? parts.damage }
  } catch (error) {
    return { ...nothing, damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

function partsOf(rows: readonly MetaRow[]): SalvagedMeta {
  const broken: string[] = []
  const heads = rows.filter(({ key, value }) => key === headKey && value !== '')
  const head = heads[0] === undefined ? null : headOf(heads[0].value)
  if (head === null && heads.length > 0) broken.push('the head')
  const prefix = statePrefix(head?.state ?? newestState(rows))
  const states = valuesOf(rows, `${prefix}source:`, stateOf)
  const reviews = valuesOf(rows, `${prefix}review:`, reviewOf)
  broken.push(
    ...states.broken.map((id) => `the state of source "${id}"`),
    ...reviews.broken.map((key) => `what is held of "${key}"`),
  )
  const { sources: wanted = states.found, reviews: held = reviews.found } = head?.states ?? {}
  if (states.found < wanted || reviews.found < held) broken.push('some of the states of sources')
  return {
    head,
    states: states.whole,
    reviews: reviews.whole,
    others: rows.filter(({ key }) => key !== headKey && stateOfKey(key) === null),
    unread: [...states.broken, ...reviews.broken],
    damage: broken.length === 0 ? null : `${broken.join(', ')} cannot be read`,
  }
}

/** Without a head, the last states that were written are as good a guess as there is. */
const newestState = (rows: readonly MetaRow[]): string =>
  rows
    .flatMap(({ key }) => stateOfKey(key) ?? [])
    .reduce(
      (newest, state) => ((timeOfName(state) ?? 0) > (timeOfName(newest) ?? 0) ? state : newest),
      stateOfLayout1,
    )

/** @param read - gives null for a value that is not what it should be */
function valuesOf<T>(
  rows: readonly MetaRow[],
  prefix: string,
  read: (value: string, name: string) => T | null,
): { readonly whole: readonly T[]; readonly broken: readonly string[]; readonly found: number } {
  const whole: T[] = []
  const broken: string[] = []
  const named = rows.filter(({ key }) => key.startsWith(prefix))
  // In a store of layout 1 an empty value is of something that is gone.
  for (const { key, value } of named.filter((row) => row.value !== '')) {
    const name = key.slice(prefix.length)
    const one = read(value, name)
    if (one === null) broken.push(name)
    else whole.push(one)
  }
  return { whole, broken, found: named.length }
}

function headOf(value: string): Head | null {
  const head = jsonOf(value)
  return isJsonObject(head) &&
    typeof head.layout === 'number' &&
    typeof head.generation === 'number' &&
    isJsonObject(head.versions)
    ? withLayout1(head as unknown as Head)
    : null
}

function stateOf(value: string, id: string): SourceState | null {
  const state = jsonOf(value)
  return isJsonObject(state) &&
    state.id === id &&
    typeof state.location === 'string' &&
    Array.isArray(state.problems)
    ? (state as unknown as SourceState)
    : null
}

function reviewOf(value: string, key: string): SourceReview | null {
  const review = jsonOf(value)
  return isJsonObject(review) && review.key === key ? (review as unknown as SourceReview) : null
}

function jsonOf(text: string): unknown {
  try {
    return parseSealed(text)
  } catch {
    return undefined
  }
}
