import { successGrade, type Verdict } from '../../domain/outcome.ts'
import type { Execution, Judge, Task } from '../ports.ts'
import { controlFor } from './control-answers.ts'
import { executionOfAnswer } from './execution-of-answer.ts'

/** How a judge stands to the last control, and for how many answers more. */
type Standing = {
  readonly kind: 'untested' | 'passed' | 'failed'
  readonly left: number
  readonly reason: string
}

const untested: Standing = { kind: 'untested', left: 0, reason: '' }

/** Answers that follow one control. */
const batch = 20

/**
 * A judge whose praise is tested. Before the first grade of 4 or 5 is believed, and again after 20 answers, it is given an answer that is known to be wrong:
 * a good one to some other task, in the shape of the real one. A judge that praises it twice gives no grades for the next 20 answers: each is refused with
 * that reason. Each praised answer is moreover put to the judge as an answer to a task that it cannot do; where that is praised too, it is the answer that
 * persuades, and it gets 3 at most. No words are looked for: who knows them leaves them out.
 *
 * @param control - the same judge, asked once where `judge` asks several times
 */
export function controlledJudge(judge: Judge, control: Judge = judge): Judge {
  let standing = untested
  let turn: Promise<unknown> = Promise.resolve()

  /** One control at a time; whoever waited uses what was found. */
  const test = (task: Task, answer: string, signal: AbortSignal | undefined): Promise<Standing> => {
    const found = turn.then(async () => {
      if (standing.left === 0) standing = await tested(task, answer, signal)
      return standing
    })
    turn = found.catch(() => undefined)
    return found
  }

  const tested = async (task: Task, answer: string, signal: AbortSignal | undefined): Promise<Standing> => {
    const wrong = executionOfAnswer(controlFor(task.text, answer).answer)
    for (const isLast of [false, true]) {
      const verdict = await control.judge(task, wrong, signal)
      if (!('grade' in verdict)) return { ...untested, reason: verdict.refusal }
      if (verdict.grade < successGrade) return { kind: 'passed', left: batch, reason: '' }
      if (isLast)
        return {
          kind: 'failed',
          left: batch,
          reason: `${judge.name} gave ${verdict.grade} to an answer that is known to be wrong, so its grades are not recorded. Choose another model in AUDITION_LLM.`,
        }
    }
    return untested
  }

  const untestable = (reason: string): Verdict => ({
    refusal: `${judge.name} could not be tested with a wrong answer: ${reason}`,
    judge: judge.name,
  })

  return {
    name: judge.name,
    async judge(task, execution, signal): Promise<Verdict> {
      if (standing.kind === 'failed' && standing.left > 0) {
        standing = { ...standing, left: standing.left - 1 }
        return { refusal: standing.reason, judge: judge.name }
      }
      const verdict = await judge.judge(task, execution, signal)
      if (standing.left > 0) standing = { ...standing, left: standing.left - 1 }
      if (!isPraise(verdict)) return verdict
      const answer = textOf(execution)
      const { kind, reason } = await test(task, answer, signal)
      if (kind === 'failed') return { refusal: reason, judge: judge.name }
      if (kind === 'untested') return untestable(reason)
      const elsewhere = await control.judge({ text: controlFor(answer, answer).task }, execution, signal)
      if ('refusal' in elsewhere) return untestable(elsewhere.refusal)
      if (!isPraise(elsewhere)) return verdict
      return {
        grade: 3,
        reason: `3 at most, for the judge gives this answer ${elsewhere.grade} for another task too, which it does not do. ${verdict.reason}`,
        judge: judge.name,
      }
    },
  }
}

const isPraise = (verdict: Verdict): verdict is Extract<Verdict, { readonly grade: number }> =>
  'grade' in verdict && verdict.grade >= successGrade

const textOf = ({ answer, structured }: Execution): string =>
  answer.trim() !== '' || structured === undefined ? answer : JSON.stringify(structured)
