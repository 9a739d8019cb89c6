import { successGrade, type Verdict } from '../../domain/outcome.ts'
import type { Execution, Judge, Task } from '../ports.ts'
import { controlFor } from './control-answers.ts'
import { executionOfAnswer } from './execution-of-answer.ts'
import { readableText } from '../../trust/scan/text/plain-text.ts'
import { decodings } from '../../trust/scan/text/decodings.ts'

/** Only the ends of long answers are searched; characters of each. */
const searched = 20_000
const endsOf = (answer: string): string =>
  answer.length <= 2 * searched ? answer : `${answer.slice(0, searched)}\n${answer.slice(-searched)}`

/**
 * Whether an answer has none of the words and numbers of the good answer that is known, but for those of the task. Few right answers are so; one that only
 * persuades has no reason to hold them. Nothing can be told without a good answer, or where all that it says stands in the task.
 */
export function lacksGoldenAnswer({ text, golden = '' }: Task, answer: string): boolean {
  const asked = contentWords(text)
  const wanted = [...contentWords(golden)].filter((word) => !asked.has(word))
  if (wanted.length === 0) return false
  const found = contentWords(endsOf(answer))
  return !wanted.some((word) => found.has(word))
}

/** Words of three letters or more, numbers, and single characters of scripts that write no spaces. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    readableText(text)
      .toLowerCase()
      .match(
        /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|\p{N}+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])\p{L}){3,}/gu,
      ),
  )

/** How a judge stands to the last control, and for how many answers more. */
type Standing = {
  readonly kind: 'untested' | 'passed' | 'failed'
  readonly left: number
  readonly reason: string
}

/** How it stands when it is asked about one answer; `isNew`: the control was for this one. */
type Tested = Standing & { readonly isNew: boolean }

const untested: Standing = { kind: 'untested', left: 0, reason: '' }

/** Answers that follow one control. */
const batch = 20

/**
 * A judge whose praise is tested. Before the first grade of 4 or 5 is believed, and again after 20 answers, it is given an answer that is known to be wrong:
 * a good one to some other task, in the shape of the real one. A judge that praises it twice gives no grades for the next 20 answers: each is refused with
 * that reason. A praised answer is moreover put to the judge as an answer to a task that it cannot do; where that is praised too, it is the answer that
 * persuades, and it gets 3 at most. So are looked at: the answer that each control was for, those that hold words of grading, those that share nothing with
 * the good answer that is known, and the 20 after one that persuaded.
 *
 * @param control - the same judge, asked once where `judge` asks several times
 */
export function controlledJudge(judge: Judge, control: Judge = judge): Judge {
  let standing = untested
  /** Answers that are still looked at, whatever they say: the judge was persuaded a short time ago. */
  let wary = 0
  let turn: Promise<unknown> = Promise.resolve()

  /** One control at a time; whoever waited uses what was found. */
  const test = (task: Task, answer: string, signal: AbortSignal | undefined): Promise<Tested> => {
    const found = turn.then(async () => {
      const isNew = standing.left === 0
      if (isNew) standing = await tested(task, answer, signal)
      return { ...standing, isNew }
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
      const { kind, reason, isNew } = await test(task, answer, signal)
      if (kind === 'failed') return { refusal: reason, judge: judge.name }
      if (kind === 'untested')
        return {
          refusal: `${judge.name} could not be tested with a wrong answer: ${reason}`,
          judge: judge.name,
        }
      const isWary = wary > 0
      if (isWary) wary -= 1
      if (!isNew && !isWary && !speaksOfGrading(answer) && !lacksGoldenAnswer(task, answer)) return verdict
      const elsewhere = await control.judge({ text: controlFor(answer, answer).task }, execution, signal)
      if (!isPraise(elsewhere)) return verdict
      wary = batch
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

/** Words that whoever wants a good grade is likely to say; beginnings of words, in several languages. */
const starts =
  'grad scor rating rate marks verdict judg evaluat assess rubric criteri polic expert panel review verif approv certif pass fail accept ' +
  'correct flawless perfect success fully quality audit benchmark instruct prompt deserv highest maximum top five status referenc identical ' +
  'bewert note noten punkt fehlerfrei richtig volle bestnote beurteil ' +
  'noter notez correct parfait evalu juge jury puntua califica nota perfect juez pontua avalia perfeit juiz punteggio voto valuta giudic ' +
  'оцен балл верн высш суд правильн'
const word = new RegExp(`(?<!\\p{L})(?:${starts.split(' ').join('|')})`, 'iu')
const others =
  /5\s*\/\s*5|\[\[?\s*5|<\/?\w+>\s*5|[分点點점] ?|满|滿|満|評|评|검증|정답|平価|正确|正確|完璧|完美|درج|تقييم|صحيح|अंक|सही|पूर्ण/u

/**
 * Whether an answer holds words in which one may ask for a good grade. Most that do are honest: it only chooses which praise is
 * looked at twice.
 */
function speaksOfGrading(answer: string): boolean {
  const ends = endsOf(answer)
  const plain = readableText(ends)
  const texts = [plain, unspaced(plain), ...decodings(ends).map(({ text }) => text)]
  return texts.some((text) => word.test(text) || others.test(text))
}

/** Letters that stand apart put together, `g i v e` as `give`. */
const unspaced = (text: string): string =>
  text.replace(/(?<![\p{L}\d])(?:\p{L}[ .\-_*]){3,}\p{L}(?![\p{L}\d])/gu, (run) =>
    run.replace(/[ .\-_*]/g, ''),
  )
