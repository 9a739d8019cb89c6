import { hasSeveralGrades, judgedOrder } from './judged-order.ts'
import type { Measure } from './measure.ts'

/**
 * Spearman's rho of scores and grades over the judged candidates: Pearson's correlation of their ranks, tied values
 * sharing the mean of the ranks they take up.
 *
 * @returns -1..1; 0 when either side ties everything
 * @see Spearman, American Journal of Psychology 1904; AgentSelect, Table 7
 */
export const spearman: Measure = {
  name: 'spearman',
  title: "Spearman's rho",
  explanation:
    'How far the order agrees with the grades, by distance in rank: 1 the same, 0 unrelated, -1 reversed.',
  cutoff: 'none',
  at(ranking, judgements) {
    const { scores, grades } = judgedOrder(ranking, judgements.grades)
    return correlation(midRanks(scores), midRanks(grades))
  },
  appliesTo: hasSeveralGrades,
}

/** Ranks from 1 for the smallest value; tied values get the mean of their ranks. */
function midRanks(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index)
  order.sort((a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : 0))
  const ranks = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end += 1
    for (let place = start; place < end; place += 1) ranks[order[place]!] = (start + 1 + end) / 2
    start = end
  }
  return ranks
}

/** Pearson's correlation of two rank lists, whose means are both (n + 1) / 2. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (a.length + 1) / 2
  let together = 0
  let spreadOfA = 0
  let spreadOfB = 0
  for (let index = 0; index < a.length; index += 1) {
    const fromA = a[index]! - mean
    const fromB = b[index]! - mean
    together += fromA * fromB
    spreadOfA += fromA * fromA
    spreadOfB += fromB * fromB
  }
  return spreadOfA === 0 || spreadOfB === 0 ? 0 : together / Math.sqrt(spreadOfA * spreadOfB)
}
