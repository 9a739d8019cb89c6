import { successGrade, type Verdict } from '../../domain/outcome.ts'
import type { AnswerComparer, Judge } from '../ports.ts'
import {
  type Agreement,
  agreementOf,
  type Calibration,
  calibrateJudge,
  type JudgedAnswer,
} from './calibrate-judge.ts'
import type { LabelledAnswer } from './labelled-answers.ts'

/** How far several judges agree on the same answers. */
export type JudgesAgreement = {
  /** Answers that all of them graded; the kappas are over these. */
  readonly answers: number
  /** On the five grades, and on success (4 or 5). Null where chance alone would agree always. */
  readonly fleissKappa: number | null
  readonly fleissKappaOfSuccess: number | null
  /** The middle of their grades (the lower of two) against the labels. */
  readonly middle: Agreement
}

/** Has each judge grade all answers, one judge after the other. @throws as {@link calibrateJudge} */
export async function calibrateJudges(
  judges: readonly Judge[],
  labelled: readonly LabelledAnswer[],
  options: { readonly signal?: AbortSignal; readonly onJudged?: (answer: JudgedAnswer) => void },
): Promise<{ readonly judges: readonly Calibration[]; readonly agreement: JudgesAgreement }> {
  const calibrations: Calibration[] = []
  const given: (readonly (Verdict | null)[])[] = []
  for (const judge of judges) {
    const verdicts: (Verdict | null)[] = []
    const onJudged = (answer: JudgedAnswer): void => {
      verdicts.push(answer.verdict)
      options.onJudged?.(answer)
    }
    calibrations.push(await calibrateJudge(judge, labelled, { ...options, onJudged }))
    given.push(verdicts)
    if (options.signal?.aborted) break
  }
  return { judges: calibrations, agreement: judgesAgreement(given, labelled) }
}

type Graded = Extract<Verdict, { readonly grade: number }>

/** @param given - verdicts of each judge, in the order of the labels; a judge that was stopped has fewer */
export function judgesAgreement(
  given: readonly (readonly (Verdict | null)[])[],
  labelled: readonly Pick<LabelledAnswer, 'grade'>[],
): JudgesAgreement {
  const perAnswer = labelled.map((_, at) =>
    given
      .map((verdicts) => verdicts[at] ?? null)
      .filter((one): one is Graded => one !== null && 'grade' in one),
  )
  const whole = perAnswer
    .filter(({ length }) => length === given.length)
    .map((all) => all.map(({ grade }) => grade))
  return {
    answers: whole.length,
    fleissKappa: fleissKappa(whole),
    fleissKappaOfSuccess: fleissKappa(
      whole.map((grades) => grades.map((grade) => Number(grade >= successGrade))),
    ),
    middle: agreementOf(
      perAnswer.map(
        (all) => [...all].sort((a, b) => a.grade - b.grade)[Math.floor((all.length - 1) / 2)] ?? null,
      ),
      labelled.map(({ grade }) => grade),
    ),
  }
}

/**
 * Agreement of several raters beyond chance, for categories without an order.
 *
 * @param ratings - of each subject the category that each rater gave; as many raters for all
 * @returns at most 1; null without subjects, for fewer than two raters, and where all say the same of everything
 * @see Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 1971
 */
export function fleissKappa(ratings: readonly (readonly number[])[]): number | null {
  const raters = ratings[0]?.length ?? 0
  if (raters < 2) return null
  const totals = new Map<number, number>()
  let agreed = 0
  for (const subject of ratings) {
    const counts = new Map<number, number>()
    for (const category of subject) counts.set(category, (counts.get(category) ?? 0) + 1)
    for (const [category, count] of counts) {
      totals.set(category, (totals.get(category) ?? 0) + count)
      agreed += count * (count - 1)
    }
  }
  const all = ratings.length * raters
  const seen = agreed / (all * (raters - 1))
  const byChance = [...totals.values()].reduce((sum, count) => sum + (count / all) ** 2, 0)
  return byChance === 1 ? null : (seen - byChance) / (1 - byChance)
}

/** How often a judge that reads answers side by side puts the better one first. */
export type ComparisonCheck = {
  readonly judge: string
  /** Tasks with answers of different labels, and those that got no order. */
  readonly tasks: number
  readonly unordered: number
  /** Pairs of answers to one task with different labels: those in the right order, the same place, the wrong order. */
  readonly right: number
  readonly equal: number
  readonly wrong: number
}

/** Has answers to the same task compared, where their labels differ. A caller that stops gets what was found until then. */
export async function checkComparer(
  comparer: AnswerComparer,
  labelled: readonly LabelledAnswer[],
  signal?: AbortSignal,
): Promise<ComparisonCheck> {
  const byTask = new Map<string, LabelledAnswer[]>()
  for (const one of labelled) byTask.set(one.task.text, [...(byTask.get(one.task.text) ?? []), one])
  const counts = { tasks: 0, unordered: 0, right: 0, equal: 0, wrong: 0 }
  for (const answers of byTask.values()) {
    if (signal?.aborted) break
    if (new Set(answers.map(({ grade }) => grade)).size < 2) continue
    counts.tasks += 1
    const places = await comparer.compare(
      answers[0]!.task,
      answers.map(({ answer }) => answer),
      signal,
    )
    if (places === null) counts.unordered += 1
    for (const [at, one] of answers.entries())
      for (const [other, rival] of answers.entries()) {
        if (places === null || one.grade <= rival.grade) continue
        const ahead = places[other]! - places[at]!
        counts[ahead > 0 ? 'right' : ahead === 0 ? 'equal' : 'wrong'] += 1
      }
  }
  return { judge: comparer.name, ...counts }
}
