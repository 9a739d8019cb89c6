import { expect, test } from 'vitest'
import type { Verdict } from '../../src/domain/outcome.ts'
import { differenceLine, headline, leftLine, ungradedReasons } from '../../src/page/app/outcome-words.ts'
import { candidateReport, type NotRun, type ProbedRun } from '../../src/probing/run/probe-report.ts'
import { probedView } from '../../src/server/api/probe-standing.ts'
import { toolCard } from '../fakes/sample-cards.ts'

type Grade = 1 | 2 | 3 | 4 | 5
const verdictOf = (given: Grade | string): Verdict =>
  typeof given === 'string'
    ? { refusal: given, judge: 'judge' }
    : { grade: given, reason: 'so it is', judge: 'judge' }

/** What is shown of candidates that got these grades, or refusals of a judge, run by run. */
function viewOf(given: { readonly [card: string]: readonly (Grade | string)[] | NotRun }) {
  const candidates = Object.entries(given).map(([id, what]) => {
    const card = toolCard({ id })
    if ('kind' in what) return candidateReport(card, [], what)
    const runs = what.map(
      (one, at): ProbedRun => ({
        answer: '',
        failure: null,
        hasTranscript: false,
        withheld: [],
        missing: [],
        outcome: {
          id: `${id} ${at}`,
          card: id,
          cardHash: '',
          kind: 'tool',
          task: `${at}`,
          time: '',
          origin: 'probe',
          executor: 'command',
          ending: 'answered',
          seconds: 1,
          tokens: null,
          cost: null,
          verdict: verdictOf(one),
        },
      }),
    )
    return candidateReport(card, runs, null)
  })
  return probedView({
    candidates,
    tasks: [],
    stopped: null,
    left: 0,
    spent: { seconds: 0, tokens: 0, cost: 0 },
  })
}

const told = (given: Parameters<typeof viewOf>[0]) => {
  const view = viewOf(given)
  return [headline(view), differenceLine(view)]
}

const five = (grade: Grade, times: number): readonly Grade[] => new Array<Grade>(times).fill(grade)
const forbidden: NotRun = { kind: 'permission', missing: ['command:node'], display: 'node a.js' }

test('nobody is ahead where none did it, or the best two are equal', () => {
  expect(told({ a: five(1, 3), b: five(1, 3), c: five(1, 3) })).toEqual(['None did it', null])
  expect(told({ a: [2], b: [1] })).toEqual(['None did it', null])
  expect(told({ a: [5], b: [5], c: [1] })).toEqual([
    'Equal so far: b and a',
    'The same mean grade, one run each: too few to tell.',
  ])
})

test('few runs leave doubt, however clear they look, and many do not', () => {
  expect(told({ a: [5], b: [1] })).toEqual([
    'Ahead, not for sure: a',
    '4.0 grades above b, one run each: too few to tell.',
  ])
  const [head, line] = told({ a: five(5, 3), b: five(1, 3) })
  expect(head).toBe('Ahead, not for sure: a')
  expect(line).toMatch(/^4\.0 grades above b, 95% interval -\d\.\d to 4\.0, of 3 runs each\. Ask more often/)
  expect(told({ a: five(5, 10), b: five(1, 10) })[0]).toBe('Winner: a')
  const { low, high } = viewOf({ a: five(1, 3) }).candidates[0]!.grade!
  expect(low).toBe(1)
  expect(high).toBeGreaterThan(3)
})

test('what was not run says so, and what nobody graded says why', () => {
  expect(told({ a: forbidden })).toEqual(['Not run: you have not allowed to start it', null])
  expect(told({ a: forbidden, b: forbidden })[0]).toBe('Not run: you have not allowed to start them')
  expect(told({ a: { kind: 'no-task', message: 'Nothing.', remedy: 'Ask.' } })[0]).toBe('Not run')
  const refused = viewOf({ a: ['it praised a wrong answer', 'it praised a wrong answer'] })
  expect(headline(refused)).toBe('Nobody could grade it')
  expect(ungradedReasons(refused)).toEqual(['it praised a wrong answer'])
  expect(told({ a: [5, 4] })[0]).toBe('It worked')
  expect(told({ a: [5, 1] })[0]).toBe('Worked 1 of 2')
})

test('what was never started is not said to be left', () => {
  const misfit: NotRun = { kind: 'arguments', message: '"city" is missing.', remedy: 'Give it.' }
  const view = viewOf({ a: misfit })
  expect(headline(view)).toBe('Not run: the arguments do not fit it')
  expect(leftLine({ ...view, left: 1 })).toBe(' Nothing was started.')
  expect(leftLine({ ...viewOf({ a: [5] }), left: 2, stopped: 'seconds' })).toBe(
    ' 2 runs were left (seconds).',
  )
  expect(leftLine(viewOf({ a: [5] }))).toBe('')
})
