import { counted, type JudgedQuery } from '../../../../src/evaluation/datasets/dataset.ts'
import type { AgentTask } from './agentsearch-tasks.ts'
import { grouped } from '../../../../src/domain/grouped.ts'
import { tiedNdcg } from '../../../../src/evaluation/record/record-measures.ts'

/** A task, and the query made of it; undefined when it cannot be measured. */
type JudgedTask = { readonly task: AgentTask; readonly query: JudgedQuery | undefined }

/**
 * What a reader should know of the judgements before comparing figures.
 *
 * @param known - ids of all cards
 */
export function judgementNotes(
  judged: readonly JudgedTask[],
  known: ReadonlySet<string>,
  hasDocuments: boolean,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const queries = judged.flatMap(({ query }) => query ?? [])
  const rerank = values.get('protocol') === 'rerank' ? judged.filter(({ query }) => query !== undefined) : []
  const asked = values.get('discount')
  const contradicting = judged.filter(
    ({ task }) =>
      task.labels !== undefined &&
      [...(task.ranking ?? [])].some(([agent, grade]) => grade > 0 && !task.labels?.has(agent)),
  )
  return [
    ...orderNotes(rerank),
    ...(hasDocuments
      ? []
      : ['There are no documents of the agents: only their ids are searched, and no text can find them.']),
    ...counted(
      judged.length - queries.length,
      'task was left out: no agent solved it, or its grades are not published.',
      'tasks were left out: no agent solved them, or their grades are not published.',
    ),
    ...counted(
      queries.filter(({ needs }) => needs?.length === 0 || needs?.some((need) => need.length === 0)).length,
      'task has a subtask that nobody solved, or whose solvers are not published: Completeness passes over it.',
      'tasks have a subtask that nobody solved, or whose solvers are not published: Completeness passes over them.',
    ),
    ...counted(
      contradicting.length,
      'task grades an agent for reranking that its labels do not call relevant; both are kept as published.',
      'tasks grade agents for reranking that their labels do not call relevant; both are kept as published.',
    ),
    ...counted(
      asked === 'published' ? 0 : rerank.filter(({ task }) => task.scores === undefined).length,
      `task has no judged scores: its published grades stand in place of the discount "${asked}".`,
      `tasks have no judged scores: their published grades stand in place of the discount "${asked}".`,
    ),
    ...counted(
      rerank.filter(
        ({ task }) =>
          task.scores !== undefined &&
          task.documented === undefined &&
          (task.ranking === undefined || asked !== 'published'),
      ).length,
      'task does not say which success is documented: nothing is discounted.',
      'tasks do not say which success is documented: nothing is discounted.',
    ),
    ...counted(
      new Set(queries.flatMap(({ grades }) => [...grades.keys()]).filter((id) => !known.has(id))).size,
      'judged agent has no document and cannot be found.',
      'judged agents have no document and cannot be found.',
    ),
  ]
}

/** Cutoffs of the paper's reranking table. */
const cutoffs = [1, 5, 20]

/**
 * What a random order would reach, and the order of the platforms, which the ids alone tell: by kind of task. They belong beside
 * every reranking figure.
 */
function orderNotes(reranked: readonly JudgedTask[]): readonly string[] {
  return [...grouped(reranked, ({ task }) => task.kind)].flatMap(([kind, tasks]) => {
    const queries = tasks.flatMap(({ query }) => query ?? [])
    const figures = (ndcg: (query: JudgedQuery, k: number) => number): string =>
      cutoffs
        .map((k) => {
          const sum = queries.reduce((total, query) => total + ndcg(query, k), 0)
          return `nDCG@${k} ${((100 * sum) / queries.length).toFixed(1)}`
        })
        .join(', ')
    return [
      `A random order of the judged agents has, on average over the tasks "${kind}": ${figures(randomOrderNdcg)}.`,
      `The order of their platforms by all other tasks, which their ids alone tell, has: ${figures(platformOrder(queries))}.`,
    ]
  })
}

/** nDCG@k of a query's pool by how often agents of a platform are relevant to the other queries; ties are averaged over. */
function platformOrder(queries: readonly JudgedQuery[]): (query: JudgedQuery, k: number) => number {
  type Tally = { relevant: number; judged: number }
  const tallyOf = ({ pool = [], grades }: JudgedQuery): ReadonlyMap<string, Tally> => {
    const tallies = new Map<string, Tally>()
    for (const id of pool) {
      const tally = tallies.get(platformOf(id)) ?? { relevant: 0, judged: 0 }
      tally.relevant += (grades.get(id) ?? 0) > 0 ? 1 : 0
      tally.judged += 1
      tallies.set(platformOf(id), tally)
    }
    return tallies
  }
  const all = new Map<string, Tally>()
  for (const query of queries)
    for (const [platform, { relevant, judged }] of tallyOf(query)) {
      const tally = all.get(platform) ?? { relevant: 0, judged: 0 }
      all.set(platform, { relevant: tally.relevant + relevant, judged: tally.judged + judged })
    }
  return (query, k) => {
    const own = tallyOf(query)
    const rateOf = (id: string): number => {
      const [everywhere, here] = [all.get(platformOf(id)), own.get(platformOf(id))]
      const judged = (everywhere?.judged ?? 0) - (here?.judged ?? 0)
      return judged === 0 ? 0 : ((everywhere?.relevant ?? 0) - (here?.relevant ?? 0)) / judged
    }
    const placed = (query.pool ?? []).map((id) => ({
      score: rateOf(id),
      gain: Math.max(0, query.grades.get(id) ?? 0),
    }))
    return tiedNdcg(placed, k)
  }
}

/** `agentbase/agt:<platform>:<agent>`. */
const platformOf = (id: string): string => /agt:([^:]+):/.exec(id)?.[1] ?? ''

/**
 * The nDCG@k that a random order of a query's pool has on average: every place holds the mean gain of the pool. Where
 * most candidates are relevant it is high, and a reranker that does not beat it has done nothing.
 *
 * @returns 0..1; 0 when nothing in the pool is relevant
 */
export function randomOrderNdcg(
  { pool = [], grades }: Pick<JudgedQuery, 'pool' | 'grades'>,
  k: number,
): number {
  const best = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const gains = pool.reduce((sum, id) => sum + Math.max(0, grades.get(id) ?? 0), 0)
  if (gains === 0) return 0
  const discounts = (count: number, gainAt: (place: number) => number): number =>
    Array.from({ length: count }, (_, place) => gainAt(place) / Math.log2(place + 2)).reduce(
      (sum, gain) => sum + gain,
      0,
    )
  const ideal = discounts(Math.min(k, best.length), (place) => best[place]!)
  return discounts(Math.min(k, pool.length), () => gains / pool.length) / ideal
}
