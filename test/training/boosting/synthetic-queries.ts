import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import type { GradedRows } from '../../../embeddings/trainer/src/boosting/graded-rows.ts'

export type SyntheticQueries = {
  readonly queries: number
  readonly rowsPerQuery: number
  readonly width: number
  readonly seed: number
  /** Share of the values that are missing. @defaultValue 0 */
  readonly missing?: number
  /** A row's grade by its features. */
  readonly grade: (row: Float32Array, random: () => number) => number
}

/** Queries whose rows have features drawn evenly from 0..1 and grades by a rule. */
export function syntheticQueries(options: SyntheticQueries): GradedRows {
  const { queries, rowsPerQuery, width, seed, missing = 0, grade } = options
  const generator = seededRandom(seed)
  const random = (): number => generator.uint32() / 2 ** 32
  const rows = queries * rowsPerQuery
  const features = Float32Array.from({ length: rows * width }, () => {
    const value = random()
    return missing > 0 && random() < missing ? Number.NaN : value
  })
  const grades = Float32Array.from({ length: rows }, (_, row) =>
    grade(features.subarray(row * width, (row + 1) * width), random),
  )
  const groups = Uint32Array.from({ length: queries }, (_, query) => query * rowsPerQuery)
  return { features, grades, groups }
}
