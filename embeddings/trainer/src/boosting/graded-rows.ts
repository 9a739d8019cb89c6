/** Rows to learn from, those of one query side by side. */
export type GradedRows = {
  /** Row after row, one number per feature; NaN is missing, infinite is refused. */
  readonly features: Float32Array
  /** First row of each query, ascending from 0; a query reaches to the next one's start, the last to the end. */
  readonly groups: Uint32Array
  /** Per row: for ranking a grade >= 0, taken as the gain of nDCG; for the logistic objective the probability 0..1. */
  readonly grades: Float32Array
  /** Per query, >= 0. @defaultValue 1 each */
  readonly weights?: Float32Array
}

/**
 * @param names - of the features, in their order
 * @param what - of the rows, for messages
 * @throws Error for arrays that do not fit together or numbers out of their range; the message says where
 */
export function checkRows(
  { features, groups, grades, weights }: GradedRows,
  names: readonly string[],
  what: string,
): void {
  const wrong = (words: string): Error => new Error(`${what}: ${words}`)
  const rows = grades.length
  if (names.length === 0) throw wrong('there are no features.')
  if (rows === 0) throw wrong('there are no rows.')
  if (features.length !== rows * names.length)
    throw wrong(
      `features has ${features.length} numbers, but ${rows} rows of ${names.length} features need ${rows * names.length}.`,
    )
  const infinite = features.findIndex((value) => value === Infinity || value === -Infinity)
  if (infinite >= 0) {
    const row = Math.floor(infinite / names.length)
    throw wrong(
      `row ${row}, feature "${names[infinite % names.length]}" is ${features[infinite]}. Use NaN for missing.`,
    )
  }
  const negative = grades.findIndex((grade) => !(grade >= 0 && grade < Infinity))
  if (negative >= 0)
    throw wrong(`row ${negative} has grade ${grades[negative]}; grades are finite and not negative.`)
  if (groups[0] !== 0) throw wrong(`groups starts with ${groups[0]}; the first query must start at row 0.`)
  for (let query = 0; query < groups.length; query += 1) {
    const start = groups[query]!
    const end = groups[query + 1] ?? rows
    if (end < start || end > rows)
      throw wrong(
        `query ${query} starts at row ${start} and ends before row ${end}: groups must ascend to at most ${rows}.`,
      )
  }
  if (weights === undefined) return
  if (weights.length !== groups.length)
    throw wrong(`weights has ${weights.length} entries for ${groups.length} queries.`)
  const bad = weights.findIndex((weight) => !(weight >= 0 && weight < Infinity))
  if (bad >= 0) throw wrong(`query ${bad} has weight ${weights[bad]}; weights are finite and not negative.`)
}

/** The row after a query's last. */
export const endOfQuery = ({ groups, grades }: GradedRows, query: number): number =>
  groups[query + 1] ?? grades.length
