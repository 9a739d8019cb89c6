import type { Table } from '@lancedb/lancedb'
import { contentHash } from '../../../catalog/identity.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { batches } from '../../../domain/grouped.ts'
import { isJsonObject } from '../../../domain/json.ts'
import { unsealed, parseSealed } from '../../../domain/text/sealed-json.ts'
import {
  among,
  cardTables,
  type StoreHead,
  headKey,
  type MetaRow,
  metaTable,
  stateOfLayout1,
  statePrefix,
} from '../schemas.ts'
import { reasonOf } from '../store-location.ts'
import { type DamagedStore, readableRows } from './open-damaged.ts'
import type { SourceReview } from '../../../store/source-review.ts'
import type { SourceState } from '../../../store/source-state.ts'
import { withLayout1 } from '../head.ts'
import { timeOfName } from '../pointed-table.ts'
import { stateOfKey } from '../commit/retired.ts'

/** Cards of one kind that could be read. */
type SalvagedCards = {
  /** Each id once. */
  readonly cards: readonly Card[]
  /** Ids by their own column, when something is wrong: also of cards that cannot be read. */
  readonly ids: readonly string[]
  /** What is wrong with their table; null when each card can be read, is what was written, and is found by its id. */
  readonly damage: string | null
}

/** Ids per question. */
const idsAtOnce = 400

/**
 * Reads the cards of a kind. A card counts when it is one of its kind and has the checksum that was written with it, or, in a store of
 * an older Audition, hashes to a hash that was written with the cards: other bytes were changed after they were written. Where the
 * hashes cannot be read, or are another version's, what parses counts.
 *
 * @param version - the version that was committed; null takes the newest
 */
export async function salvageCards(
  store: DamagedStore,
  kind: CardKind,
  version: number | null,
): Promise<SalvagedCards> {
  const { table, damage } = await store.open(cardTables[kind], version)
  if (table === null) return { cards: [], ids: [], damage }
  try {
    const [texts, hashes] = [await readableRows(table, 'card'), await readableRows(table, 'hash')]
    const parsed = texts.values.flatMap((text) => cardOf(text, kind) ?? [])
    const known = new Set(hashes.values)
    const whole = parsed.filter(({ isSealed, card }) => isSealed || known.has(contentHash(card)))
    const isHashed = hashes.unreadable === 0 && whole.length > 0
    const cards = (isHashed ? whole : parsed).map(({ card }) => [card.id, card] as const)
    const found = [...new Map(cards).values()]
    const broken = texts.values.length - found.length + texts.unreadable
    const wrong = damage ?? (broken > 0 ? `${broken} of its rows cannot be read, or were changed` : null)
    if (wrong !== null) return { cards: found, ids: (await readableRows(table, 'id')).values, damage: wrong }
    return { cards: found, ids: [], damage: await damageOfColumns(table, found) }
  } catch (error) {
    return { cards: [], ids: [], damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

/** A card, and whether its own checksum says that it is what was written. */
type ParsedCard = { readonly card: Card; readonly isSealed: boolean }

function cardOf(text: string, kind: CardKind): ParsedCard | null {
  try {
    const found = unsealed(text)
    const card: unknown = found.kind === 'changed' ? null : JSON.parse(found.json)
    return isJsonObject(card) &&
      card.kind === kind &&
      typeof card.id === 'string' &&
      typeof card.source === 'string'
      ? { card: card as unknown as Card, isSealed: found.kind === 'whole' }
      : null
  } catch {
    return null
  }
}

/** What is wrong with the columns that find cards, and with the index of ids. */
async function damageOfColumns(table: Table, cards: readonly Card[]): Promise<string | null> {
  try {
    for (const batch of batches(cards, idsAtOnce)) {
      const rows = (await table
        .query()
        .where(`id ${among(batch.map(({ id }) => id))}`)
        .select(['id', 'source', 'hash', 'card'])
        .toArray()) as { id: string; source: string; hash: string; card: string }[]
      const found = new Map(rows.map((row) => [row.id, row]))
      const wrong = batch.find((card) => {
        const row = found.get(card.id)
        return row?.source !== card.source || row.hash !== contentHash(card)
      })
      if (wrong !== undefined) return `card "${wrong.id}" is not found by its id`
    }
    return null
  } catch (error) {
    return `its cards are not found by their ids (${reasonOf(error)})`
  }
}

/** What could be read of the meta table. */
export type SalvagedMeta = {
  /** The last commit; null when there was none, or its row cannot be read. */
  readonly head: StoreHead | null
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

function headOf(value: string): StoreHead | null {
  const head = jsonOf(value)
  return isJsonObject(head) &&
    typeof head.layout === 'number' &&
    typeof head.generation === 'number' &&
    isJsonObject(head.versions)
    ? withLayout1(head as unknown as StoreHead)
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
