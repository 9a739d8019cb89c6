import type { Table } from '@lancedb/lancedb'
import { parseSealed, sealed } from '../../domain/text/sealed-json.ts'
import type { CatalogChange } from '../../store/catalog-writer.ts'
import type { SourceReview } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { lancedb } from './native.ts'
import {
  type EngineState,
  type StoreHead,
  headKey,
  type MetaRow,
  metaSchema,
  quoted,
  stateOfLayout1,
  statePrefix,
  storeLayout,
} from './schemas.ts'
import { StoreError } from './store-location.ts'
import { nameInTime } from './pointed-table.ts'

/** The head as it stands in its row: null before the first commit. */
export type StoredHead = {
  readonly text: string
  readonly head: StoreHead | null
  readonly engine: EngineState
}

const noCommits: EngineState = { at: 0, dead: [], landed: [], claim: null }

/** The row is there before the first commit, so that this too takes the place of something. */
export const noHead: StoredHead = { text: '', head: null, engine: noCommits }

/** @throws StoreError when a newer Audition wrote the store */
export async function readStoredHead(meta: Table): Promise<StoredHead> {
  const rows = (await meta
    .query()
    .where(`key = ${quoted(headKey)}`)
    .toArray()) as MetaRow[]
  const text = rows.find(({ value }) => value !== '')?.value ?? ''
  const stored = text === '' ? {} : (parseSealed(text) as StoredRow)
  return { text, head: 'layout' in stored ? headOf(stored) : null, engine: stored.engine ?? noCommits }
}

/** @throws StoreError when a newer Audition wrote the store */
export const readHead = async (meta: Table): Promise<StoreHead | null> => (await readStoredHead(meta)).head

/** What a head of layout 1 has no word of. */
const layout1 = { commit: '', names: {}, state: stateOfLayout1, states: null, recent: [], retired: [] }

/** A head as its row has it, of this layout or the one before. */
type StoredJson = Omit<StoreHead, keyof typeof layout1> & Partial<StoreHead>

/** In an engine the row has an owner before it has a head. */
type StoredRow = StoredJson | Pick<StoreHead, 'engine'>

export const withLayout1 = (stored: StoredJson): StoreHead => ({ ...layout1, ...stored })

function headOf(stored: StoredJson): StoreHead {
  if (stored.layout > storeLayout) {
    const reason = `written by a newer Audition (layout ${stored.layout}, this one reads ${storeLayout})`
    throw new StoreError(
      `The store was ${reason}.`,
      'Update Audition, or point AUDITION_HOME at another folder.',
      { reason: `it was ${reason}` },
    )
  }
  return withLayout1(stored)
}

/**
 * Puts a head in the place of the one that was read, if it still stands there: the commit. LanceDB asks the condition anew when
 * somebody else's write came first, and writes a version only where there is none of its number.
 *
 * @param states - rows that come with it; without it they count for nothing
 * @returns whether it stands there now
 */
export async function replaceHead(
  meta: Table,
  before: Pick<StoredHead, 'text'>,
  { next, states = [] }: { readonly next: Partial<StoreHead>; readonly states?: readonly MetaRow[] },
): Promise<boolean> {
  const rows = metaRows([{ key: headKey, value: sealed(JSON.stringify(next)) }, ...states])
  const replacing = meta
    .mergeInsert('key')
    .whenMatchedUpdateAll({ where: `target.value = ${quoted(before.text)}` })
  const { numUpdatedRows } = await (states.length > 0
    ? replacing.whenNotMatchedInsertAll()
    : replacing
  ).execute(rows)
  return numUpdatedRows > 0
}

/** Makes the row of the head, empty, where there is none. */
export async function ensureHeadRow(meta: Table): Promise<void> {
  if ((await meta.countRows(`key = ${quoted(headKey)}`)) > 0) return
  await meta
    .mergeInsert('key')
    .whenNotMatchedInsertAll()
    .execute(metaRows([{ key: headKey, value: '' }]))
}

export const metaRows = (rows: readonly MetaRow[]) =>
  lancedb.makeArrowTable([...rows], { schema: metaSchema })

/** What the store remembers of its sources, and of what is held of them and was decided. */
export type States = { readonly sources: readonly SourceState[]; readonly reviews: readonly SourceReview[] }

export type StatesReader = (meta: Table, head: StoreHead | null) => Promise<States>

/** Reads what heads say, the states of one once: what the name of states stands for never changes, but in a store of layout 1. */
export function statesReader(): StatesReader {
  let last: { readonly state: string; readonly states: States } | null = null
  return async (meta, head) => {
    if (head !== null && last?.state === head.state) return last.states
    const states = await readStates(meta, head)
    last = head === null || head.state === stateOfLayout1 ? null : { state: head.state, states }
    return states
  }
}

/**
 * The states of sources by the head, by id, and what is held of them and was decided about them, by key. In a store of layout 1 an empty
 * value is a row of something that is gone.
 *
 * @throws Error when they are not all there: a later commit may have taken them away since the head was read
 */
export async function readStates(meta: Table, head: StoreHead | null): Promise<States> {
  if (head === null) return { sources: [], reviews: [] }
  const prefix = statePrefix(head.state)
  const wanted = ['source', 'review'].map((what) => `starts_with(key, ${quoted(`${prefix}${what}:`)})`)
  const rows = (await meta.query().where(wanted.join(' OR ')).toArray()) as MetaRow[]
  const valuesOf = (what: 'source' | 'review'): unknown[] => {
    const own = rows.filter(({ key }) => key.startsWith(`${prefix}${what}:`))
    const count = head.states?.[`${what}s`]
    if (count !== undefined && own.length !== count)
      throw new Error(`${own.length} of ${count} rows "${what}" are there that its head names`)
    return own.filter(({ value }) => value !== '').map(({ value }) => parseSealed(value))
  }
  return {
    sources: (valuesOf('source') as SourceState[]).sort((a, b) => (a.id < b.id ? -1 : 1)),
    reviews: (valuesOf('review') as SourceReview[]).sort((a, b) => (a.key < b.key ? -1 : 1)),
  }
}

/** The rows of states under a name of their own. They count once a head names them. */
function rowsOfStates(state: string, { sources, reviews }: States): readonly MetaRow[] {
  const prefix = statePrefix(state)
  return [
    ...sources.map((one) => ({ key: `${prefix}source:${one.id}`, value: sealed(JSON.stringify(one)) })),
    ...reviews.map((one) => ({ key: `${prefix}review:${one.key}`, value: sealed(JSON.stringify(one)) })),
  ]
}

/** What a head names of states, and the rows that are to be written for it: none where a change leaves them as they were. */
export function statesAfter(
  head: StoreHead | null,
  before: States,
  { sources, removeSources, reviews = [], removeReviews = [] }: CatalogChange,
): { readonly named: Pick<StoreHead, 'state' | 'states'>; readonly rows: readonly MetaRow[] } {
  const isChanged = sources.length + removeSources.length + reviews.length + removeReviews.length > 0
  if (!isChanged && head !== null && head.state !== stateOfLayout1)
    return { named: { state: head.state, states: head.states }, rows: [] }
  const after = {
    sources: replaced(before.sources, { put: sources, remove: removeSources }, ({ id }) => id),
    reviews: replaced(before.reviews, { put: reviews, remove: removeReviews }, ({ key }) => key),
  }
  const state = nameInTime(stateOfLayout1, new Date())
  const states = { sources: after.sources.length, reviews: after.reviews.length }
  return { named: { state, states }, rows: rowsOfStates(state, after) }
}

/** What is put wins over what is removed: a source may be forgotten and found again in one change. */
function replaced<T>(
  before: readonly T[],
  { put, remove }: { readonly put: readonly T[]; readonly remove: readonly string[] },
  keyOf: (one: T) => string,
): readonly T[] {
  const after = new Map(before.map((one) => [keyOf(one), one]))
  for (const key of remove) after.delete(key)
  for (const one of put) after.set(keyOf(one), one)
  return [...after.values()]
}
