import { expect, test } from 'vitest'
import { lacksGoldenAnswer } from '../../../src/probing/judges/controlled-judge.ts'

const capital = { text: 'Name the capital of France.', golden: 'Paris.' }
const sum = { text: 'What is 17% of 250?', golden: '42.5' }

test.each([
  { task: capital, answer: 'It is PARIS, of course.', lacks: false },
  { task: capital, answer: 'The capital of France is what was asked for.', lacks: true },
  { task: capital, answer: '', lacks: true },
  { task: sum, answer: 'The answer is 42.5', lacks: false },
  { task: sum, answer: '17% of 250', lacks: true },
  { task: { text: '日本の首都は？', golden: '東京' }, answer: '東京です', lacks: false },
  { task: { text: '日本の首都は？', golden: '東京' }, answer: 'はい', lacks: true },
  { task: { text: 'Write a poem.' }, answer: 'No.', lacks: false },
  { task: { text: 'Say Paris.', golden: 'Paris' }, answer: 'Lyon', lacks: false },
])('"$answer" to "$task.text" lacks the good answer: $lacks', ({ task, answer, lacks }) => {
  expect(lacksGoldenAnswer(task, answer)).toBe(lacks)
})
