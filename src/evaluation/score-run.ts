import type { Qrels } from '../domain/qrels.ts'
import { rank } from '../domain/ranking.ts'
import type { NamedMeasure } from './measures.ts'
import type { Run } from './trec-format.ts'

/** What measures say of a run. */
export type ScoredRun = {
  /** By query id, then measure name; queries in the order of the qrels. A measure that does not apply is absent. */
  readonly queries: ReadonlyMap<string, { readonly [measure: string]: number }>
  /** By measure name: the plain mean, and the queries it was taken over. */
  readonly means: { readonly [measure: string]: { readonly mean: number; readonly queries: number } }
}

/**
 * Measures a run of any system against qrels. Queries without judgements are passed over.
 *
 * @param unranked - what becomes of judged queries that the run leaves out: `countAsZero` takes them as empty rankings
 *   (trec_eval's `-c`, and the only fair way to compare), `leaveOut` passes them over (trec_eval's default)
 */
export function scoreRun(
  run: Run,
  qrels: Qrels,
  measures: readonly NamedMeasure[],
  unranked: 'countAsZero' | 'leaveOut',
): ScoredRun {
  const queries = new Map<string, { readonly [measure: string]: number }>()
  for (const [query, grades] of qrels) {
    const ranking = run.get(query)
    if (ranking === undefined && unranked === 'leaveOut') continue
    const applied = measures.filter((measure) => measure.appliesTo({ grades }))
    queries.set(
      query,
      Object.fromEntries(
        applied.map((measure) => [measure.name, measure.evaluate(ranking ?? rank([]), { grades })]),
      ),
    )
  }
  return { queries, means: Object.fromEntries(measures.map(({ name }) => [name, meanOf(name, queries)])) }
}

function meanOf(measure: string, queries: ScoredRun['queries']): { mean: number; queries: number } {
  const values = [...queries.values()].flatMap((measured) => measured[measure] ?? [])
  const sum = values.reduce((total, value) => total + value, 0)
  return { mean: values.length === 0 ? 0 : sum / values.length, queries: values.length }
}
