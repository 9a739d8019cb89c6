import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { type DropReason, dropReasons } from '../../tasks/generated-task.ts'
import { type AskedOfWriter, mostOf, type TaskEstimate } from '../../tasks/desk.ts'
import type { TasksReport } from '../../tasks/make-tasks.ts'

/** What a language model would be asked, and for how much. */
export function estimateLine(estimate: TaskEstimate): string {
  const { model, host, questions, tokens, cost } = estimate
  const most = mostOf(estimate)
  const price =
    cost === undefined
      ? `Its price is not known; "prices" of settings.yaml states it.`
      : `About $${cost.toPrecision(2)}.`
  return `About ${countOf(questions, 'question')} of ${countOf(tokens, 'token')} would be sent to ${printableLine(host)} (${printableLine(model)}), at most ${countOf(most.questions, 'question')} of ${countOf(most.tokens, 'token')}. ${price}`
}

/** Drops of one reason that are shown. */
const mostShown = 2

/** What was made, what was dropped and why, and how easy it is. */
export function tasksLines(report: TasksReport): readonly string[] {
  const { made, kind, by, targets, asked, stopped, notes } = report
  return [
    `${countOf(made, 'task')} (${kind}) by ${printableLine(by)}, for ${countOf(targets, 'card')}.`,
    ...(stopped === undefined ? [] : [`Stopped early: ${printableLine(stopped)}`]),
    ...dropLines(report),
    ...statisticsLines(report),
    ...entailmentLines(report),
    ...cosineLines(report),
    ...(report.runs === undefined
      ? []
      : [
          `Run: ${countOf(report.runs.judged, 'candidate')} judged, ${report.runs.none} not run or not judged.`,
        ]),
    ...(asked.answers + asked.kept === 0 ? [] : [`Asked: ${askedLine(asked)}`]),
    ...notes,
  ]
}

/** What was dropped and why. */
export function dropLines({ dropped, drops }: Pick<TasksReport, 'dropped' | 'drops'>): readonly string[] {
  const reasons = Object.entries(dropped) as (readonly [DropReason, number])[]
  if (reasons.length === 0) return []
  return [
    'Dropped:',
    ...reasons.flatMap(([reason, count]) => [
      `  ${count} ${reason}: ${dropReasons[reason]}`,
      ...drops
        .filter((drop) => drop.reason === reason)
        .slice(0, mostShown)
        .map(({ of, text, why }) => `    ${printableLine([of, text, why].filter(Boolean).join(' | '))}`),
    ]),
  ]
}

function statisticsLines({ statistics }: TasksReport): readonly string[] {
  if (statistics === null) return []
  const { difficulty, diversity, overlap } = statistics
  const distance = diversity.distance === null ? '' : `, mean distance ${diversity.distance.toFixed(2)}`
  return [
    `Difficulty: search has an expected card first in ${perCent(difficulty['hit@1'])}, among five in ${perCent(difficulty['hit@5'])}; MRR@10 ${difficulty['mrr@10'].toFixed(2)}; not among a hundred in ${perCent(difficulty.notFound)}.`,
    `Diversity: ${countOf(diversity.cards, 'card')}${distance}, ${perCent(diversity.distinctPairs)} of word pairs are different.`,
    `Overlap with the cards (ROUGE-L): mean ${overlap.mean.toFixed(2)}, median ${overlap.median.toFixed(2)}, most ${overlap.most.toFixed(2)}; ToolRet's queries have 0.06.`,
  ]
}

function entailmentLines({ entailment }: TasksReport): readonly string[] {
  if (entailment === undefined) return []
  const { by, reader, threshold, pairs, byReader, byModel, agreement, kappa } = entailment
  const both =
    agreement === null || byModel === null
      ? ''
      : `, by the model ${byModel}; they agree on ${perCent(agreement)}${kappa === null ? '' : ` (kappa ${kappa.toFixed(2)})`}`
  return [
    `Entailment, decided by ${printableLine(by)}: of ${countOf(pairs, 'part')} ${byReader} entailed by ${printableLine(reader)} at ${threshold}${both}.`,
  ]
}

function cosineLines({ cosines }: TasksReport): readonly string[] {
  if (cosines === undefined) return []
  const { by, wanted, queries, reached, quartiles, pools, byMedian, used } = cosines
  const { least, lower, median, upper, most } = quartiles
  const spread = [least, lower, median, upper, most].map((cosine) => cosine.toFixed(2)).join(', ')
  const between = `${used[0].toFixed(2)} to ${used[1].toFixed(2)}`
  return [
    `Cosine to the centre of the pool (${printableLine(by)}): ${spread} (least, quartiles, most). Of ${countOf(queries, 'query', 'queries')} ${reached} reached ${wanted}.`,
    ...(byMedian === 0
      ? []
      : [
          `In ${byMedian} of ${countOf(pools, 'pool')} the nearer half stayed in its place: those of ${between} and more.`,
        ]),
  ]
}

/** What the model was asked for, and what that took. */
export function askedLine({ answers, kept, tokens, cost, seconds }: AskedOfWriter): string {
  const price = cost === undefined ? '' : `, $${cost.toPrecision(2)}`
  return `${countOf(answers, 'answer')} for ${countOf(tokens.input + tokens.output, 'token')}${price} in ${seconds.toFixed(0)} s; ${kept} kept of before.`
}

const perCent = (share: number): string => `${(100 * share).toFixed(0)}%`
