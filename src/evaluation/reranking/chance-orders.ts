import { grouped } from '../../domain/grouped.ts'
import { mulberry32, seedOf } from '../../domain/random.ts'
import { rank } from '../../domain/ranking.ts'
import { isAnswerable, type JudgedQuery } from '../datasets/dataset.ts'
import { type Copies, creditCopies } from '../equivalence.ts'
import type { NamedMeasure } from '../measures/measures.ts'
import type { QueryOutcome } from '../evaluation-run.ts'

/** A query whose candidates can be put in order. */
export type PooledQuery = JudgedQuery & {
  readonly pool: readonly string[]
  /** The first so many are put in order, the others stay behind them. @defaultValue all */
  readonly head?: number
  /** Cards that count as each other. @defaultValue none do */
  readonly copies?: Copies
}

/** A score per candidate of a query. */
type Scores = (query: PooledQuery) => (id: string) => number

/** All alike. */
export const randomOrder: Scores = () => () => 0

/** By how often candidates of a platform are relevant to the other queries, which no text tells. */
export function platformOrder(queries: readonly PooledQuery[], platformOf: (id: string) => string): Scores {
  type Tally = { relevant: number; graded: number }
  const tallyOf = ({ pool, grades }: PooledQuery): ReadonlyMap<string, Tally> =>
    new Map(
      [...grouped(pool, platformOf)].map(([platform, ids]) => [
        platform,
        { graded: ids.length, relevant: ids.filter((id) => (grades.get(id) ?? 0) > 0).length },
      ]),
    )
  const all = new Map<string, Tally>()
  for (const query of queries)
    for (const [platform, { relevant, graded }] of tallyOf(query)) {
      const tally = all.get(platform) ?? { relevant: 0, graded: 0 }
      all.set(platform, { relevant: tally.relevant + relevant, graded: tally.graded + graded })
    }
  return (query) => {
    const own = tallyOf(query)
    return (id) => {
      const [everywhere, here] = [all.get(platformOf(id)), own.get(platformOf(id))]
      const count = (everywhere?.graded ?? 0) - (here?.graded ?? 0)
      return count === 0 ? 0 : ((everywhere?.relevant ?? 0) - (here?.relevant ?? 0)) / count
    }
  }
}

/**
 * The measures of a query on average over the orders that scores leave open. Of measures that add up over places, as nDCG and precision
 * do, it is the mean over all such orders; of others nearly.
 */
export function meansOverTies(
  query: PooledQuery,
  scoreOf: (id: string) => number,
  measures: readonly NamedMeasure[],
): QueryOutcome['measures'] {
  if (!isAnswerable(query)) return {}
  const { pool, head = pool.length, copies = new Map() } = query
  const tied = [
    ...[...grouped(pool.slice(0, head), scoreOf)].sort(([a], [b]) => b - a).map(([, ids]) => ids),
    ...pool.slice(head).map((id) => [id]),
  ]
  const applying = measures.filter((measure) => measure.appliesTo(query))
  const sums = applying.map(() => 0)
  let orders = 0
  for (const order of ordersOf(tied, seedOf(query.id))) {
    const ranking = rank(order.map((id, place) => ({ id, score: -place })))
    const judged = copies.size === 0 ? query : creditCopies(ranking, query, copies)
    for (const [at, measure] of applying.entries()) sums[at]! += measure.evaluate(ranking, judged)
    orders += 1
  }
  return Object.fromEntries(applying.map(({ name }, at) => [name, sums[at]! / orders]))
}

/** Orders that are looked at, at least; and turns of one of them at most, which is enough for any ties among 20. */
const leastOrders = 100
const mostTurns = 420

/** Turned round together, each of the tied ones stands in each of their places equally often. */
function* ordersOf(tied: readonly (readonly string[])[], seed: number): Generator<readonly string[]> {
  const turns = Math.min(
    mostTurns,
    tied.reduce((all, { length }) => (all * length) / greatestDivisor(all, length), 1),
  )
  const random = mulberry32(seed)
  const shuffled = (ids: readonly string[]): readonly string[] =>
    ids
      .map((id) => ({ id, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ id }) => id)
  for (let made = 0; made < (turns === 1 ? 1 : leastOrders); made += turns) {
    const groups = tied.map(shuffled)
    for (let turn = 0; turn < turns; turn += 1)
      yield groups.flatMap((ids) => {
        const first = turn % ids.length
        return [...ids.slice(first), ...ids.slice(0, first)]
      })
  }
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))
