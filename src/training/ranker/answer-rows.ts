import { answerFeatureNames, answerFeatures } from '../../retrieval/answer-features.ts'
import type { BoostedTrees } from '../../retrieval/boosted-trees.ts'
import type { GradedRows } from '../boosting/graded-rows.ts'
import type { AskedQuery, GradedQuery } from './ranked-corpus.ts'

/** Rows of answers, and which answer each tells of. */
export type AnswerRows = GradedRows & { readonly asked: readonly AskedQuery[] }

/**
 * Up to two rows a query: as it was found, which counts as served, and without what serves it. Of a query that was asked of
 * a foreign catalog there is the second alone.
 *
 * @param ranker - whose scores order the candidates
 */
export function answerRows(queries: readonly GradedQuery[], ranker: BoostedTrees): AnswerRows {
  const rows = queries.flatMap(({ asked, features, absent }) =>
    [features, absent].flatMap((each, place) => {
      if (each.length === 0) return []
      const count = each.length / ranker.features.length
      return [{ asked, grade: place === 0 ? 1 : 0, row: answerFeatures(each, ranker.score(each, count)) }]
    }),
  )
  const features = new Float32Array(rows.length * answerFeatureNames.length)
  for (const [place, { row }] of rows.entries()) features.set(row, place * row.length)
  return {
    features,
    grades: Float32Array.from(rows, ({ grade }) => grade),
    groups: Uint32Array.from(rows, (_, place) => place),
    asked: rows.map(({ asked }) => asked),
  }
}
