import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Auditioned, AuditionReport } from '../../probing/run/audition.ts'
import { byExecution } from '../../probing/judges/combine-judges.ts'
import { referenceJudgeName } from '../../probing/judges/reference-judge.ts'
import type { AskedOfWriter } from '../../tasks/desk.ts'
import type { Output } from '../terminal.ts'
import { costColumns, findingParts } from './probe-lines.ts'
import { askedLine } from './tasks-lines.ts'
import { left, right, tableOf } from './table.ts'
import { apart, dollars } from './text.ts'

/** Who did best, how sure that is, and what it cost. */
export function auditionLines(
  report: AuditionReport,
  output: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  const tried = report.candidates.filter(({ runs }) => runs.length > 0)
  return apart([
    boardLines(tried, output),
    tried.flatMap(({ card, againstFirst }) =>
      againstFirst === null ? [] : [pairLine([tried[0]!.card, card], againstFirst, report.risk)],
    ),
    [...verdictLines(report), ...savedLines(report)],
    tried.flatMap(({ card, missing }) =>
      missing.length === 0
        ? []
        : [
            `${printableLine(card)} ran without tools that it has where it is used: ${missing.map(printableLine).join(', ')}`,
          ],
    ),
    ...findingParts(report, output, platform),
  ])
}

/** What was asked of models beside the candidates' runs: it is not in what those took. */
export function besidesLines({ candidates }: AuditionReport, writing?: AskedOfWriter): readonly string[] {
  const judges = candidates.flatMap(({ runs }) => runs.flatMap(({ outcome }) => outcome.verdict?.judge ?? []))
  const models = [...new Set(judges)]
    .filter((judge) => judge !== referenceJudgeName && judge !== byExecution)
    .map(printableLine)
  const lines = [
    ...(writing === undefined ? [] : [`To write the tasks: ${askedLine(writing)}`]),
    ...(models.length === 0 ? [] : [`What grading took is not counted (${models.join(', ')}).`]),
  ]
  return lines.length === 0 ? [] : ["That is the candidates' runs alone.", ...lines]
}

function boardLines(candidates: readonly Auditioned[], output: Output): readonly string[] {
  return tableOf(candidates, output, [
    left('', ({ standing, grade }, at) => (standing === 'beaten' ? standing : grade === null ? '–' : at + 1)),
    left('candidate', ({ card }) => card, { paint: output.paint.cyan }),
    right('grade', ({ grade }) =>
      grade === null ? '–' : `${grade.mean.toFixed(2)} [${grade.low.toFixed(2)}, ${grade.high.toFixed(2)}]`,
    ),
    right('worked', ({ worked, graded }) => (graded === 0 ? '–' : `${worked} of ${graded}`)),
    ...costColumns<Auditioned>(),
    right('per success', ({ costPerSuccess }) => dollars(costPerSuccess)),
  ])
}

function pairLine(
  [first, other]: readonly [string, string],
  { won, lost, equal, p }: NonNullable<Auditioned['againstFirst']>,
  risk: number,
): string {
  const all = won + lost + equal
  const ahead = p <= risk ? 'beats' : 'is ahead of'
  const verb = won > lost ? ahead : won < lost ? 'is behind' : 'equals'
  const rest = [...(won > lost ? [`${lost} lost`] : [`${won} won`]), `${equal} equal`].join(', ')
  const count = won > lost ? won : won < lost ? lost : equal
  return `${printableLine(first)} ${verb} ${printableLine(other)} on ${count} of ${countOf(all, 'task')} that both did (${rest}), p ${probability(p)}.`
}

/** The usual way: no zero before the point. */
const probability = (p: number): string =>
  p < 0.001 ? '< .001' : p >= 0.995 ? '= 1' : `= ${p.toFixed(p < 0.1 ? 3 : 2).replace(/^0/, '')}`

function verdictLines({ candidates, winner, indifference, risk }: AuditionReport): readonly string[] {
  const graded = candidates.filter(({ grade }) => grade !== null)
  if (graded.length < 2) return []
  const sure = `with a chance of ${100 - 100 * risk} % it is at most ${indifference} of a grade worse than the best`
  if (winner === null) return [`The first place is not sure: more tasks would tell.`]
  const open = candidates.filter(({ standing, grade }) => standing === 'open' && grade !== null)
  const named = (isNear: boolean): string =>
    open
      .filter(({ againstFirst }) => (againstFirst?.isNear ?? false) === isNear)
      .map(({ card }) => printableLine(card))
      .join(', ')
  const [near, unsure] = [named(true), named(false)]
  return [
    `${printableLine(winner)} wins: ${sure}.`,
    ...(near === '' ? [] : [`As good, or nearly: ${near}.`]),
    ...(unsure === '' ? [] : [`Not yet shown to be worse: ${unsure}.`]),
  ]
}

function savedLines({ runs, spared, spent }: AuditionReport): readonly string[] {
  if (spared === 0) return []
  const share = Math.round((100 * spared) / (runs + spared))
  const money = spent.cost > 0 ? `, some $${((spent.cost / runs) * spared).toFixed(2)}` : ''
  return [
    `Stopped early: ${spared} of ${countOf(runs + spared, 'run')} were not needed (${share} %${money}).`,
  ]
}
