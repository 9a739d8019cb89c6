import type { Execution } from '../ports.ts'

/** An answer that nobody ran for, as judges take it. */
export const executionOfAnswer = (answer: string): Execution => ({
  ending: 'answered',
  answer,
  failure: null,
  transcript: [],
  seconds: 0,
  outputBytes: Buffer.byteLength(answer),
  tokens: null,
  cost: null,
})
