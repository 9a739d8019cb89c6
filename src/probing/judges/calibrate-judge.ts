import { successGrade, type Verdict } from '../../domain/outcome.ts'
import type { JudgePanel } from './combine-judges.ts'
import { type LabelledAnswer, executionOfAnswer } from './labelled-answers.ts'
import type { Grade } from './reference-check.ts'

/** A labelled answer and what was said of it; null when nobody could judge. */
export type JudgedAnswer = { readonly labelled: LabelledAnswer; readonly verdict: Verdict | null }

/** What a calibration found. */
export type Calibration = Agreement & {
  readonly judge: string
  /** The agreement of each judge that graded something, where more than one did, in order of their names. */
  readonly byJudge: readonly (Agreement & { readonly judge: string })[]
  /** Answers where grade and label differ, the worst first, then as in the file. */
  readonly misses: readonly JudgedAnswer[]
  /** Answers that got no grade, as in the file. */
  readonly ungraded: readonly JudgedAnswer[]
  /** Answers that were not judged because the caller stopped. */
  readonly left: number
}

/**
 * Has a judge grade labelled answers, one after the other, and compares. With a model this costs money. A caller that stops gets
 * what was found until then.
 *
 * @param onJudged - called after each answer
 * @throws the signal's reason when it stops before anything was judged
 */
export async function calibrateJudge(
  judge: JudgePanel,
  labelled: readonly LabelledAnswer[],
  {
    signal,
    onJudged,
  }: { readonly signal?: AbortSignal; readonly onJudged?: (answer: JudgedAnswer) => void } = {},
): Promise<Calibration> {
  const all: JudgedAnswer[] = []
  for (const one of labelled) {
    const verdict = await judgedUnlessStopped(judge, one, signal)
    if (verdict === 'stopped') break
    const answer = { labelled: one, verdict }
    all.push(answer)
    onJudged?.(answer)
  }
  if (all.length === 0) signal?.throwIfAborted()
  const names = [...new Set(all.filter(isGraded).map(({ verdict }) => verdict.judge))].sort()
  return {
    judge: judge.name,
    ...agreementOn(all),
    byJudge:
      names.length < 2
        ? []
        : names.map((name) => ({
            judge: name,
            ...agreementOn(all.filter(({ verdict }) => verdict?.judge === name)),
          })),
    misses: all.filter((one) => distance(one) > 0).sort((left, right) => distance(right) - distance(left)),
    ungraded: all.filter((one) => !isGraded(one)),
    left: labelled.length - all.length,
  }
}

async function judgedUnlessStopped(
  judge: JudgePanel,
  { task, answer }: LabelledAnswer,
  signal: AbortSignal | undefined,
): Promise<Verdict | null | 'stopped'> {
  if (signal?.aborted) return 'stopped'
  try {
    return await judge.judge(task, executionOfAnswer(answer), signal)
  } catch (error) {
    if (signal?.aborted) return 'stopped'
    throw error
  }
}

type Graded = JudgedAnswer & { readonly verdict: Extract<Verdict, { readonly grade: number }> }

const isGraded = (one: JudgedAnswer): one is Graded => one.verdict !== null && 'grade' in one.verdict

const agreementOn = (answers: readonly JudgedAnswer[]): Agreement =>
  agreementOf(
    answers.map(({ verdict }) => verdict),
    answers.map(({ labelled }) => labelled.grade),
  )

/** In grades; 0 where there is none. */
const distance = (one: JudgedAnswer): number =>
  isGraded(one) ? Math.abs(one.verdict.grade - one.labelled.grade) : 0

/** How far a judge agrees with given labels. */
export type Agreement = {
  /** Pairs compared: those that the judge graded. */
  readonly count: number
  /** Answers that the judge gave no grade. They count in nothing else. */
  readonly refused: number
  /** Share of equal grades, 0..1; null without pairs. */
  readonly accuracy: number | null
  /** Agreement beyond chance on the five grades, -1..1; null when chance alone would agree always, or without pairs. */
  readonly kappa: number | null
  /** The same where a miss by two grades weighs four times a miss by one. */
  readonly quadraticKappa: number | null
  /** Success or not (grade 4 or more): what rankings use, and what AgentSearchBench reports (kappa 0.93, accuracy 96.67%). */
  readonly success: { readonly accuracy: number | null; readonly kappa: number | null }
  /** `confusion[label - 1][grade - 1]`: pairs with this label that the judge gave this grade. */
  readonly confusion: readonly (readonly number[])[]
}

/**
 * Compares verdicts with the labels of the same answers.
 *
 * @param verdicts - in the order of the labels; null and refusals are counted apart
 * @throws RangeError when there are not as many verdicts as labels
 * @see Cohen, Educational and Psychological Measurement 1960 and Psychological Bulletin 1968 (weights); our digest of
 * AgentSearchBench, section 6
 */
export function agreementOf(verdicts: readonly (Verdict | null)[], labels: readonly Grade[]): Agreement {
  if (verdicts.length !== labels.length) {
    throw new RangeError(
      `${verdicts.length} verdicts for ${labels.length} labels. Send one verdict for each label.`,
    )
  }
  const pairs = verdicts.flatMap((verdict, index) =>
    verdict !== null && 'grade' in verdict ? [{ label: labels[index]! - 1, given: verdict.grade - 1 }] : [],
  )
  const confusion = tableOf(5, pairs)
  const success = tableOf(
    2,
    pairs.map(({ label, given }) => ({
      label: Number(label + 1 >= successGrade),
      given: Number(given + 1 >= successGrade),
    })),
  )
  return {
    count: pairs.length,
    refused: labels.length - pairs.length,
    accuracy: accuracyOf(confusion),
    kappa: kappaOf(confusion, (distance) => Number(distance !== 0)),
    quadraticKappa: kappaOf(confusion, (distance) => distance ** 2),
    success: { accuracy: accuracyOf(success), kappa: kappaOf(success, (distance) => Number(distance !== 0)) },
    confusion,
  }
}

type Table = readonly (readonly number[])[]

function tableOf(size: number, pairs: readonly { readonly label: number; readonly given: number }[]): Table {
  const table = Array.from({ length: size }, () => new Array<number>(size).fill(0))
  for (const { label, given } of pairs) table[label]![given]! += 1
  return table
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function accuracyOf(table: Table): number | null {
  const total = sum(table.map(sum))
  return total === 0 ? null : sum(table.map((row, index) => row[index]!)) / total
}

/** 1 - (weighted disagreement seen) / (weighted disagreement by chance). */
function kappaOf(table: Table, weigh: (distance: number) => number): number | null {
  const total = sum(table.map(sum))
  const rows = table.map(sum)
  const columns = table.map((_, column) => sum(table.map((row) => row[column]!)))
  let seen = 0
  let byChance = 0
  for (const [label, row] of table.entries()) {
    for (const [given, count] of row.entries()) {
      seen += weigh(label - given) * count
      byChance += (weigh(label - given) * rows[label]! * columns[given]!) / total
    }
  }
  return total === 0 || byChance === 0 ? null : 1 - seen / byChance
}
