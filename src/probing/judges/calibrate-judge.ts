import type { Verdict } from '../../domain/outcome.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import type { JudgePanel } from './combine-judges.ts'
import { executionOfAnswer } from './execution-of-answer.ts'
import type { LabelledAnswer } from './labelled-answers.ts'

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
