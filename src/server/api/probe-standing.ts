import { gradeOf } from '../../domain/outcome.ts'
import type { Estimate } from '../../evaluation/evaluation-run.ts'
import { intervalOn } from '../../probing/run/race.ts'
import type { CandidateReport, ProbeReport } from '../../probing/run/probe-report.ts'
import { bySuccess } from '../answers/probe-answer.ts'

/** A probe's report, and who came out ahead. */
export type ProbedView = Omit<ProbeReport, 'candidates'> & {
  /** Best first. */
  readonly candidates: readonly (CandidateReport & {
    /** Mean grade with its 95% interval; null without a grade. */
    readonly grade: Estimate | null
  })[]
  /** The first against the second; null where nobody can be compared. */
  readonly lead: {
    readonly first: string
    readonly second: string
    /** Of their grades, run by run on the same tasks. */
    readonly difference: Estimate
    /** Whether the interval leaves no doubt. */
    readonly isClear: boolean
  } | null
}

/** Orders what was probed, and says how sure the order is. */
export function probedView({ candidates, ...report }: ProbeReport): ProbedView {
  const ordered = [...candidates].sort(bySuccess)
  return {
    ...report,
    candidates: ordered.map((one) => {
      const grades = gradesOf(one).filter((grade) => grade !== null)
      return {
        ...one,
        grade: grades.length === 0 ? null : { ...intervalOn([1, 5], grades), queries: grades.length },
      }
    }),
    lead: leadOf(ordered),
  }
}

const gradesOf = ({ runs }: CandidateReport): readonly (number | null)[] =>
  runs.map(({ outcome }) => gradeOf(outcome.verdict))

function leadOf([first, second]: readonly CandidateReport[]): ProbedView['lead'] {
  if (first === undefined || second === undefined) return null
  const others = gradesOf(second)
  const differences = gradesOf(first).flatMap((grade, at) => {
    const other = others[at] ?? null
    return grade === null || other === null ? [] : [grade - other]
  })
  if (differences.length === 0) return null
  const difference = { ...intervalOn([-4, 4], differences), queries: differences.length }
  return { first: first.card, second: second.card, difference, isClear: difference.low > 0 }
}
