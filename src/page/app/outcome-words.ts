import { reasonOf } from '../../domain/outcome.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { NotRun } from '../../probing/run/probe-report.ts'
import type { ProbedView } from '../../server/api/probe-standing.ts'

/** What came of a probe, in one line. */
export function headline({ candidates, lead }: ProbedView): string {
  const [first] = candidates
  const ran = candidates.filter(({ runs }) => runs.length > 0)
  if (first === undefined || ran.length === 0) return `Not run${whyNot(candidates)}`
  if (ran.every(({ graded }) => graded === 0))
    return ran.length > 1 ? 'Nobody could grade them' : 'Nobody could grade it'
  if (didNone({ candidates })) return 'None did it'
  if (lead === null) {
    const said = first.worked === first.graded ? 'It worked' : `Worked ${first.worked} of ${first.graded}`
    return candidates.length > 1 ? `${first.card}: ${said}` : said
  }
  if (lead.difference.mean === 0) return `Equal so far: ${lead.first} and ${lead.second}`
  if (lead.difference.mean < 0) return 'Nobody is ahead so far'
  return `${lead.isClear ? 'Winner: ' : 'Ahead, not for sure: '}${lead.first}`
}

function whyNot(candidates: ProbedView['candidates']): string {
  const them = candidates.length > 1 ? 'them' : 'it'
  const isAll = (kind: NotRun['kind']): boolean =>
    candidates.length > 0 && candidates.every(({ notRun }) => notRun?.kind === kind)
  if (isAll('permission')) return `: you have not allowed to start ${them}`
  return isAll('arguments') ? `: the arguments do not fit ${them}` : ''
}

/** What did not come about: nothing was started, or some runs were left. */
export function leftLine({ candidates, left, stopped }: ProbedView): string {
  if (candidates.every(({ notRun, runs }) => notRun !== null && runs.length === 0))
    return ' Nothing was started.'
  return left > 0 ? ` ${countOf(left, 'run was', 'runs were')} left${stopped ? ` (${stopped})` : ''}.` : ''
}

/** Whether several were graded on all of their runs, and each failed. */
function didNone({ candidates }: Pick<ProbedView, 'candidates'>): boolean {
  const ran = candidates.filter(({ runs }) => runs.length > 0)
  return ran.length > 1 && ran.every(({ worked, graded, runs }) => worked === 0 && graded === runs.length)
}

/** How far the first is above the second, and how sure that is; null where nobody is ahead of anybody. */
export function differenceLine({ candidates, lead }: ProbedView): string | null {
  if (lead === null || didNone({ candidates })) return null
  const { mean, low, high, queries } = lead.difference
  const above = mean === 0 ? 'The same mean grade' : `${mean.toFixed(1)} grades above ${lead.second}`
  if (queries === 1) return `${above}, one run each: too few to tell.`
  const sure = `${above}, 95% interval ${low.toFixed(1)} to ${high.toFixed(1)}, of ${countOf(queries, 'run')} each.`
  return lead.isClear ? sure : `${sure} Ask more often to be sure.`
}

/** Why runs that answered have no grade: what their judges say, each once. */
export const ungradedReasons = ({ candidates }: Pick<ProbedView, 'candidates'>): readonly string[] => [
  ...new Set(
    candidates.flatMap(({ runs }) =>
      runs.flatMap(({ outcome: { verdict } }) =>
        verdict !== null && 'refusal' in verdict ? [reasonOf(verdict)] : [],
      ),
    ),
  ),
]
