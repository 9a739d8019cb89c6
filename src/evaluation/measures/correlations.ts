import type { Grades, Ranking } from '../../domain/ranking.ts'
import type { Judgements, Measure } from './measure.ts'

/** Score and grade of every judged candidate, side by side. */
type JudgedOrder = { readonly scores: readonly number[]; readonly grades: readonly number[] }

/**
 * The judged candidates as two orders over one set. Unjudged candidates are passed over; judged ones that the ranking
 * lacks are tied with each other, below all that it has.
 */
function judgedOrder(ranking: Ranking, known: Grades): JudgedOrder {
  const scores: number[] = []
  const grades: number[] = []
  for (const { id, score } of ranking) {
    const grade = known.get(id)
    if (grade === undefined) continue
    // A finite stand-in keeps the worst of scores above those that are missing.
    scores.push(Math.max(score, -Number.MAX_VALUE))
    grades.push(grade)
  }
  const ranked = scores.length === known.size ? undefined : new Set(ranking.map(({ id }) => id))
  for (const [id, grade] of known) {
    if (ranked === undefined || ranked.has(id)) continue
    scores.push(Number.NEGATIVE_INFINITY)
    grades.push(grade)
  }
  return { scores, grades }
}

/** Orders can agree or not only where the judges saw a difference. */
const hasSeveralGrades = ({ grades }: Judgements): boolean => new Set(grades.values()).size > 1

/**
 * Kendall's tau-b of scores and grades over the judged candidates: agreeing pairs less disagreeing ones, over the
 * geometric mean of the pairs that each side tells apart. Equal scores are a tie here, whatever order their ids give.
 *
 * @returns -1..1; 0 when either side ties everything
 * @see Kendall, Biometrika 1945; AgentSelect, Table 7
 */
export const kendallTau: Measure = {
  name: 'kendall',
  title: "Kendall's tau",
  explanation:
    'How far the order agrees with the grades, pair by pair: 1 the same, 0 unrelated, -1 reversed.',
  cutoff: 'none',
  at(ranking, judgements) {
    const { scores, grades } = judgedOrder(ranking, judgements.grades)
    let balance = 0
    let scoresApart = 0
    let gradesApart = 0
    for (let a = 1; a < scores.length; a += 1) {
      for (let b = 0; b < a; b += 1) {
        const byScore = compare(scores[a]!, scores[b]!)
        const byGrade = compare(grades[a]!, grades[b]!)
        balance += byScore * byGrade
        scoresApart += Math.abs(byScore)
        gradesApart += Math.abs(byGrade)
      }
    }
    return scoresApart === 0 || gradesApart === 0 ? 0 : balance / Math.sqrt(scoresApart * gradesApart)
  },
  appliesTo: hasSeveralGrades,
}

const compare = (a: number, b: number): -1 | 0 | 1 => (a > b ? 1 : a < b ? -1 : 0)

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
