import { hasSeveralGrades, judgedOrder } from './judged-order.ts'
import type { Measure } from './measure.ts'

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
