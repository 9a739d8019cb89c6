import { type Measure, relevantOf, relevantWithin } from './measure.ts'

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
