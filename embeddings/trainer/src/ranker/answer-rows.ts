import { answerFeatures } from '../../../../src/retrieval/rank/answer-features.ts'
import type { BoostedTrees } from '../../../../src/retrieval/rank/boosted-trees.ts'
import type { GradedRows } from '../boosting/graded-rows.ts'
import type { GradedQuery } from './ranked-corpus.ts'

/**
 * Two rows a query: as it was found, which counts as served, and without what serves it.
 *
 * @param queries - asked both ways
 * @param ranker - whose scores order the candidates
 */
export function answerRows(queries: readonly GradedQuery[], ranker: BoostedTrees): GradedRows {
  const rows = queries.flatMap(({ features, absent }) =>
    [features, absent].map((each) => {
      const count = each.length / ranker.features.length
      return answerFeatures(each, ranker.score(each, count))
    }),
  )
  const width = rows[0]?.length ?? 0
  const features = new Float32Array(rows.length * width)
  for (const [place, row] of rows.entries()) features.set(row, place * width)
  return {
    features,
    grades: Float32Array.from(rows, (_, place) => (place % 2 === 0 ? 1 : 0)),
    groups: Uint32Array.from(rows, (_, place) => place),
  }
}
