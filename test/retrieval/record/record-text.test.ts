import { expect, test } from 'vitest'
import { recordText } from '../../../src/retrieval/record/record-text.ts'

const record = {
  runs: 7,
  successes: 5,
  similarRuns: 5,
  similarSuccesses: 4,
  medianSeconds: 2.13,
  estimate: 0.7,
}

test.each([
  { record, text: 'worked 4 of 5 times on similar tasks, median 2.1 s' },
  { record: { ...record, similarRuns: 0, similarSuccesses: 0 }, text: 'worked 5 of 7 times, median 2.1 s' },
  {
    record: { ...record, runs: 1, successes: 0, similarRuns: 0, similarSuccesses: 0, medianSeconds: null },
    text: 'worked 0 of 1 time',
  },
  {
    record: { ...record, runs: 0, similarRuns: 0, medianSeconds: 31.4 },
    text: 'was run, not graded, median 31 s',
  },
])('a record reads "$text"', ({ record: told, text }) => {
  expect(recordText(told)).toBe(text)
})
