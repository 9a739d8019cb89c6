import { type Measure, relevantOf, relevantWithin } from './measure.ts'
import type { Ranking } from '../../domain/ranking.ts'

/**
 * Divides by k even when fewer candidates came, so that a short ranking gains nothing; without a cutoff, by what came.
 *
 * @see trec_eval's `P` and `set_P`
 */
export const precision: Measure = {
  name: 'p',
  title: 'P',
  explanation: 'The share of the first k places that hold a relevant candidate.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const places = k === Number.POSITIVE_INFINITY ? ranking.length : k
    return places === 0 ? 0 : relevantWithin(ranking, grades, k) / places
  },
}

/** @see trec_eval's `recall` and `set_recall` */
export const recall: Measure = {
  name: 'recall',
  title: 'Recall',
  explanation: 'The share of the relevant candidates that stand among the first k.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const relevant = relevantOf(grades)
    return relevant === 0 ? 0 : relevantWithin(ranking, grades, k) / relevant
  },
}

/**
 * The harmonic mean of precision and recall, taken per query: 2 hits / (places + relevant). Places are k, as for
 * precision; without a cutoff, the candidates that came.
 *
 * @see trec_eval's `set_F` (no cutoff); AgentSelect's F1@k
 */
export const f1: Measure = {
  name: 'f1',
  title: 'F1',
  explanation: 'The harmonic mean of precision and recall among the first k.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const places = k === Number.POSITIVE_INFINITY ? ranking.length : k
    const hits = relevantWithin(ranking, grades, k)
    return hits === 0 ? 0 : (2 * hits) / (places + relevantOf(grades))
  },
}

/** @see trec_eval's `success` */
export const hit: Measure = {
  name: 'hit',
  title: 'Hit',
  explanation: '1 when any relevant candidate stands among the first k, else 0.',
  cutoff: 'optional',
  at: (ranking, { grades }, k) => (relevantWithin(ranking, grades, k) > 0 ? 1 : 0),
}

/** @see trec_eval's `Rprec` */
export const rPrecision: Measure = {
  name: 'rprec',
  title: 'R-precision',
  explanation: 'Precision at R, where R is the number of relevant candidates of the query.',
  cutoff: 'none',
  at(ranking, { grades }) {
    const relevant = relevantOf(grades)
    return relevant === 0 ? 0 : relevantWithin(ranking, grades, relevant) / relevant
  },
}

/**
 * Whether the first k hold all that the job takes. Without `needs`, every relevant candidate (ToolRet's C@k); with
 * them, one member of each need (AgentSearchBench's COMP@k, where a need is a subtask with the agents that solved it).
 *
 * A need that nothing serves cannot be met. The paper does not say what becomes of such queries; this measure does not
 * apply to them.
 *
 * @see Shi et al., ACL 2025 (ToolRet), section 4; AgentSearchBench, 2026, COMP@K
 */
export const completeness: Measure = {
  name: 'completeness',
  title: 'Completeness',
  explanation: '1 when everything that the job takes stands among the first k, else 0.',
  cutoff: 'optional',
  at(ranking, { grades, needs }, k) {
    if (needs !== undefined) return needs.length > 0 && meetsAll(ranking, needs, k) ? 1 : 0
    const relevant = relevantOf(grades)
    return relevant > 0 && relevantWithin(ranking, grades, k) === relevant ? 1 : 0
  },
  appliesTo: ({ needs }) =>
    needs === undefined || (needs.length > 0 && needs.every((members) => members.length > 0)),
}

function meetsAll(ranking: Ranking, needs: readonly (readonly string[])[], k: number): boolean {
  const end = Math.min(k, ranking.length)
  const top = new Set<string>()
  for (let index = 0; index < end; index += 1) top.add(ranking[index]!.id)
  return needs.every((members) => members.some((id) => top.has(id)))
}
