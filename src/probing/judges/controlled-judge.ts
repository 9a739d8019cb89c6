import { successGrade, type Verdict } from '../../domain/outcome.ts'
import type { Execution, Judge, Task } from '../ports.ts'
import { executionOfAnswer } from './labelled-answers.ts'

/** How a judge stands to the last control, and for how many answers more. */
type ControlState = {
  readonly kind: 'untested' | 'passed' | 'failed'
  readonly left: number
  readonly reason: string
}

const untested: ControlState = { kind: 'untested', left: 0, reason: '' }

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
  const test = (task: Task, answer: string, signal: AbortSignal | undefined): Promise<ControlState> => {
    const found = turn.then(async () => {
      if (standing.left === 0) standing = await tested(task, answer, signal)
      return standing
    })
    turn = found.catch(() => undefined)
    return found
  }

  const tested = async (
    task: Task,
    answer: string,
    signal: AbortSignal | undefined,
  ): Promise<ControlState> => {
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

/** A task of no interest, and a good answer to it: for any other task a wrong one. */
type ControlAnswer = {
  readonly shape: Shape
  readonly task: string
  readonly answer: string
}

type Shape = 'word' | 'sentence' | 'list' | 'json' | 'code' | 'prose'

const controls: readonly ControlAnswer[] = [
  { shape: 'word', task: 'Give the chemical symbol of tungsten.', answer: 'W' },
  { shape: 'word', task: 'In which year did the Krakatoa volcano erupt?', answer: '1883' },
  {
    shape: 'sentence',
    task: 'How many legs has a lobster?',
    answer: 'A lobster has ten legs; the first pair carries the claws.',
  },
  {
    shape: 'sentence',
    task: 'Why do leaves turn red in autumn?',
    answer: 'Leaves turn red because chlorophyll breaks down and anthocyanins are formed from trapped sugar.',
  },
  {
    shape: 'list',
    task: 'List four knots that sailors use.',
    answer: '- bowline\n- clove hitch\n- sheet bend\n- figure eight',
  },
  {
    shape: 'list',
    task: 'Name the planets with rings.',
    answer: '1. Jupiter\n2. Saturn\n3. Uranus\n4. Neptune',
  },
  {
    shape: 'json',
    task: 'Describe Neptune as JSON.',
    answer: '{"planet": "Neptune", "moons": 16, "discovered": 1846, "ringed": true}',
  },
  {
    shape: 'json',
    task: 'Give a sourdough recipe as JSON.',
    answer: '{"bread": "sourdough", "flour_g": 500, "water_g": 350, "salt_g": 10, "oven_celsius": 230}',
  },
  {
    shape: 'code',
    task: 'Write a Python function that reverses a linked list.',
    answer:
      '```python\ndef reverse(head):\n    before = None\n    while head:\n        head.next, before, head = before, head, head.next\n    return before\n```',
  },
  {
    shape: 'prose',
    task: 'Explain how roses are pruned.',
    answer:
      'Roses are pruned in early spring, when the forsythia flowers. Take out dead and crossing wood first, down to where it is white ' +
      'inside. Shorten the strong shoots by a third and the weak ones by two thirds, always a finger above a bud that looks outwards, and ' +
      'cut at a slant so that rain runs off. Feed the shrub afterwards and water it well in dry weeks. Climbing roses keep their long ' +
      'branches: only the side shoots are cut back, to three or four buds.',
  },
  {
    shape: 'prose',
    task: 'Tell how glaciers shape valleys.',
    answer:
      'A glacier moves slowly downhill and carries stones that grind the rock below it. Where a river leaves a valley in the form of a V, ' +
      'ice widens it to a U with steep walls and a flat floor. Side glaciers cut less deeply, so that their valleys hang above the main ' +
      'one and waterfalls drop from them. What the ice carried is left as moraines, in ridges along its edges and at its former end.',
  },
]

/** A good answer to something else than a task, in the shape of an answer where there is one that shares no word with the task. */
export function controlFor(task: string, answer: string): ControlAnswer {
  const shape = shapeOf(answer)
  const asked = contentWords(task)
  const shared = ({ task: other, answer: text }: ControlAnswer): number =>
    [...contentWords(`${other} ${text}`)].filter((word) => asked.has(word)).length
  const distance = (control: ControlAnswer): number => 4 * shared(control) + (control.shape === shape ? 0 : 1)
  return controls.reduce((best, control) => (distance(control) < distance(best) ? control : best))
}

function shapeOf(answer: string): Shape {
  const text = answer.trim()
  if (/^[{[]/.test(text)) return 'json'
  if (text.includes('```')) return 'code'
  if (/^(?:[-*•]|\d+[.)]) /m.test(text)) return 'list'
  return text.length <= 20 ? 'word' : text.length <= 200 ? 'sentence' : 'prose'
}

const contentWords = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
