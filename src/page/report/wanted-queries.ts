import { toneOf } from '../../evaluation/report/numbers.ts'
import type { ReportQuery } from '../../evaluation/report/report-queries.ts'

/** What the answer said of its candidates. */
export const matches = { good: 'fits well', weak: 'fits weakly', none: 'nothing fits' } as const

/** Whether the page has why any candidate of a query is there. */
export const isExplained = ({ candidates }: ReportQuery): boolean => candidates.some(({ signals }) => signals)

/** What a query can be chosen by. */
type Filter = { name: string; title: string; chosenBy(query: ReportQuery): string | undefined }

export const filters: readonly Filter[] = [
  { name: 'part', title: 'Part', chosenBy: ({ part }) => part },
  { name: 'group', title: 'Group', chosenBy: ({ group }) => group },
  { name: 'match', title: 'Answer said', chosenBy: ({ match }) => matches[match] },
  {
    name: 'change',
    title: 'Against baseline',
    chosenBy: ({ change }) => (change === undefined ? undefined : toneOf(change)),
  },
  { name: 'reasons', title: 'Reasons', chosenBy: (query) => (isExplained(query) ? 'kept here' : 'left out') },
]

/** A way to put queries in order: by a number, the smallest first. `value` is of the headline measure. */
type Order = { name: string; title: string; ofChange?: boolean; keyOf(value: number, change: number): number }

export const orders: readonly Order[] = [
  { name: 'low', title: 'lowest first', keyOf: (value) => value },
  { name: 'high', title: 'highest first', keyOf: (value) => -value },
  { name: 'loss', title: 'largest loss first', ofChange: true, keyOf: (_, change) => change },
  { name: 'win', title: 'largest win first', ofChange: true, keyOf: (_, change) => -change },
]

/** What of the queries is wanted, by filter; `text` are words that must all be in a query or its id, and `order` an order. */
export type Wanted = { readonly [name: string]: string }

/**
 * The queries that are wanted, in the order wanted; those without the number they are sorted by come last, equals as in the
 * run.
 */
export function wantedQueries(
  queries: readonly ReportQuery[],
  wanted: Wanted,
  headline: string,
): readonly ReportQuery[] {
  const chosen = filters.filter(({ name }) => wanted[name])
  const words = (wanted.text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const found = queries.filter((query) => {
    const text = words.length > 0 ? `${query.text}\n${query.id}`.toLowerCase() : ''
    return (
      chosen.every(({ name, chosenBy }) => chosenBy(query) === wanted[name]) &&
      words.every((word) => text.includes(word))
    )
  })
  const order = orders.find(({ name }) => name === wanted.order)
  if (order === undefined) return found
  const keyed = found.map((query) => {
    const key = order.keyOf(query.measures[headline] ?? Number.NaN, query.change ?? Number.NaN)
    return { query, key: Number.isNaN(key) ? Number.MAX_VALUE : key }
  })
  return keyed.sort((a, b) => a.key - b.key).map(({ query }) => query)
}
