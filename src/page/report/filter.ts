import type { PackedList } from '../../evaluation/report/packed-queries.ts'
import { changeName, changeOf } from './query-data.ts'

/** What of the queries is wanted; an empty text asks for nothing. */
export type Wanted = {
  /** Words that must all be in the query or its id. */
  readonly text: string
  /** Numbers of a part and a group. */
  readonly part: string
  readonly group: string
  /** What the answer said: `good`, `weak` or `none`. */
  readonly match: string
  /** `worse`, `better` or `same`. */
  readonly change: string
  /** `kept` for queries whose reasons are in the page. */
  readonly reasons: string
  /** `run`, `low`, `high`, `loss` or `win`. */
  readonly order: string
}

export const everything: Wanted = {
  text: '',
  part: '',
  group: '',
  match: '',
  change: '',
  reasons: '',
  order: 'run',
}

/** Texts with their ids in lower case, for finding words; made when they are first searched. */
const lowered = new WeakMap<PackedList, readonly string[]>()

function loweredTexts(list: PackedList): readonly string[] {
  const known = lowered.get(list)
  if (known !== undefined) return known
  const texts = list.texts.map((text, at) => `${text}\n${list.ids[at]}`.toLowerCase())
  lowered.set(list, texts)
  return texts
}

function admits(list: PackedList, wanted: Wanted): (at: number) => boolean {
  const { part, group, match, change, reasons } = wanted
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean)
  const texts = words.length === 0 ? [] : loweredTexts(list)
  const changed = (by: number): boolean => !Number.isNaN(by) && changeName(by) === change
  return (at) =>
    (part === '' || list.part[at] === Number(part)) &&
    (group === '' || list.group[at] === Number(group)) &&
    (match === '' || list.match[at] === match) &&
    (change === '' || changed(changeOf(list, at))) &&
    (reasons === '' || list.explained[at] === 1) &&
    words.every((word) => texts[at]?.includes(word))
}

/** The number by which a query is sorted, smallest first. */
function keyOf(list: PackedList, order: string, at: number): number {
  const value =
    order === 'low' || order === 'high' ? (list.measures[0]?.[at] ?? Number.NaN) : changeOf(list, at)
  if (Number.isNaN(value)) return Number.POSITIVE_INFINITY
  return order === 'low' || order === 'loss' ? value : -value
}

/**
 * Positions of the queries that are wanted, in the order wanted; those without the number they are sorted by come last,
 * equals as in the run.
 */
export function wantedQueries(list: PackedList, wanted: Wanted): readonly number[] {
  const found = [...list.texts.keys()].filter(admits(list, wanted))
  if (wanted.order === 'run') return found
  const keys = new Map(found.map((at) => [at, keyOf(list, wanted.order, at)]))
  const of = (at: number): number => keys.get(at) ?? 0
  return found.sort((a, b) => (of(a) === of(b) ? a - b : of(a) < of(b) ? -1 : 1))
}
