import { expect, test } from 'vitest'
import { combineJudges } from '../../../src/probing/judges/combine-judges.ts'
import { referenceJudge } from '../../../src/probing/judges/reference-judge.ts'
import type { Execution, Judge, Task } from '../../../src/probing/ports.ts'
import { answered, ended } from './executions.ts'

const model: Judge = { name: 'llm:m', judge: async () => ({ grade: 3, reason: 'so so', judge: 'llm:m' }) }
const unasked: Judge = {
  name: 'llm:m',
  judge: () => {
    throw new Error('the model was asked')
  },
}
const right: Task = { text: 't', reference: { kind: 'exact', text: 'yes' } }
const broken: Task = { text: 't', reference: { kind: 'pattern', regex: '(' } }
const open: Task = { text: 't' }

test.each<{
  readonly why: string
  readonly task: Task
  readonly execution: Execution
  readonly model: Judge | null
  readonly expected: object | null
}>([
  {
    why: 'the reference decides where there is one',
    task: right,
    execution: answered('yes'),
    model: unasked,
    expected: { grade: 5, judge: 'reference' },
  },
  {
    why: 'also against',
    task: right,
    execution: answered('no'),
    model: unasked,
    expected: { grade: 1, judge: 'reference' },
  },
  {
    why: 'the model decides where there is none',
    task: open,
    execution: answered('yes'),
    model,
    expected: { grade: 3, judge: 'llm:m' },
  },
  {
    why: 'and where it is broken',
    task: broken,
    execution: answered('yes'),
    model,
    expected: { grade: 3, judge: 'llm:m' },
  },
  {
    why: 'a broken one without a model is a refusal',
    task: broken,
    execution: answered('yes'),
    model: null,
    expected: { refusal: expect.any(String) },
  },
  {
    why: 'neither: executed, not graded',
    task: open,
    execution: answered('yes'),
    model: null,
    expected: null,
  },
  {
    why: 'a failure needs no judge',
    task: right,
    execution: ended('failed', 'crashed'),
    model: unasked,
    expected: { grade: 1, judge: 'execution', reason: expect.stringContaining('crashed') },
  },
  {
    why: 'nor does a limit',
    task: open,
    execution: ended('limit', '60 seconds'),
    model: unasked,
    expected: { grade: 1, judge: 'execution', reason: expect.stringContaining('60 seconds') },
  },
  {
    why: 'nor no answer',
    task: open,
    execution: answered(' \n'),
    model: null,
    expected: { grade: 1, judge: 'execution' },
  },
  {
    why: 'a structured answer is one',
    task: { text: 't', reference: { kind: 'json-path', path: '$.a', value: 1 } },
    execution: answered('', { a: 1 }),
    model: null,
    expected: { grade: 5, judge: 'reference' },
  },
  {
    why: 'what was cancelled says nothing',
    task: right,
    execution: ended('cancelled'),
    model: unasked,
    expected: null,
  },
])('$why', async ({ task, execution, model: asked, expected }) => {
  const verdict = await combineJudges({ reference: referenceJudge(), model: asked }).judge(task, execution)
  if (expected === null) expect(verdict).toBeNull()
  else expect(verdict).toMatchObject(expected)
})
