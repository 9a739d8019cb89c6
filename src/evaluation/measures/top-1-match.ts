import { gainOf, type Measure } from './measure.ts'

/** The best grade may be shared: any candidate that has it will do. @see AgentSelect, Table 7 */
export const top1Match: Measure = {
  name: 'top1',
  title: 'Top-1 match',
  explanation: '1 when the first candidate is (one of) the best graded, else 0.',
  cutoff: 'none',
  at(ranking, { grades }) {
    const [first] = ranking
    if (first === undefined) return 0
    const gain = gainOf(grades, first.id)
    if (gain === 0) return 0
    for (const grade of grades.values()) if (grade > gain) return 0
    return 1
  },
}
