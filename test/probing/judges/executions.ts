import type { JsonValue } from '../../../src/domain/json.ts'
import type { Execution } from '../../../src/probing/ports.ts'

/** An execution that gave this answer. */
export const answered = (answer: string, structured?: JsonValue): Execution => ({
  ending: 'answered',
  answer,
  ...(structured === undefined ? {} : { structured }),
  failure: null,
  transcript: [],
  seconds: 0.1,
  outputBytes: answer.length,
  tokens: null,
  cost: null,
})

/** One that gave none. */
export const ended = (ending: Execution['ending'], failure: string | null = null): Execution => ({
  ...answered(''),
  ending,
  failure,
})
