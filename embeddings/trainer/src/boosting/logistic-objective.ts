import { endOfQuery, type GradedRows } from './graded-rows.ts'
import type { Objective } from './objective.ts'

/**
 * Each row by itself: the grade is the probability 0..1 that something holds, the score its log-odds. What calibration
 * needs: 1 / (1 + exp(-score)) is a probability.
 *
 * @see Friedman, Annals of Statistics 2001, section 4.5
 */
export const logisticObjective: Objective = {
  measure: 'log-likelihood',
  complaint({ grades }) {
    const row = grades.findIndex((grade) => grade > 1)
    return row < 0 ? undefined : `row ${row} has grade ${grades[row]}; the logistic objective needs 0 to 1.`
  },
  initial(rows) {
    let yes = 0
    let all = 0
    eachRow(rows, (grade, weight) => {
      yes += weight * grade
      all += weight
    })
    // Half a row of each kind keeps the odds finite when all grades are the same.
    return Math.log((yes + 0.5) / (all - yes + 0.5))
  },
  derivatives(rows) {
    return (scores, queries, into) => {
      for (const query of queries) {
        const weight = rows.weights?.[query] ?? 1
        const end = endOfQuery(rows, query)
        for (let row = rows.groups[query]!; row < end; row += 1) {
          const probability = 1 / (1 + Math.exp(-scores[row]!))
          into.first[row] = weight * (probability - rows.grades[row]!)
          into.second[row] = weight * probability * (1 - probability)
        }
      }
    }
  },
  quality(rows) {
    return (scores) => {
      let sum = 0
      let all = 0
      eachRow(rows, (grade, weight, row) => {
        // log p = -log(1 + e^-s) and log (1-p) = log p - s, written so that e^ never overflows.
        const score = scores[row]!
        const logYes = Math.min(score, 0) - Math.log1p(Math.exp(-Math.abs(score)))
        sum += weight * (logYes - (1 - grade) * score)
        all += weight
      })
      return all === 0 ? 0 : sum / all
    }
  },
}

function eachRow(rows: GradedRows, visit: (grade: number, weight: number, row: number) => void): void {
  for (let query = 0; query < rows.groups.length; query += 1) {
    const weight = rows.weights?.[query] ?? 1
    const end = endOfQuery(rows, query)
    for (let row = rows.groups[query]!; row < end; row += 1) visit(rows.grades[row]!, weight, row)
  }
}
