import { growingColumn } from './task-vectors.ts'

/** What outcomes say, each at its place; arrays are longer than what was added. */
export type OutcomeColumns = {
  /** 1 success, 0 failure, NaN when it was not graded. */
  readonly successes: Float32Array
  /** Days since 1970. */
  readonly days: Float64Array
  /** Numbers of the cards' hashes, as `hashNumber` gives them. */
  readonly cardHashes: Int32Array
  /** Numbers among `tasks`. */
  readonly tasks: Int32Array
  readonly seconds: Float32Array
  /** 1: it ended with an answer. */
  readonly answered: Uint8Array
}

/** What one outcome says; numbers as in {@link OutcomeColumns}. */
type OutcomeRow = {
  /** Undefined when it was not graded. */
  readonly success: boolean | undefined
  readonly day: number
  readonly cardHash: number
  readonly task: number
  readonly seconds: number
  readonly isAnswered: boolean
}

/** Columns that grow by one outcome at a time. */
export function outcomeColumns() {
  const successes = growingColumn((length) => new Float32Array(length))
  const days = growingColumn((length) => new Float64Array(length))
  const cardHashes = growingColumn((length) => new Int32Array(length))
  const tasks = growingColumn((length) => new Int32Array(length))
  const seconds = growingColumn((length) => new Float32Array(length))
  const answered = growingColumn((length) => new Uint8Array(length))
  let newestDay = Number.NEGATIVE_INFINITY
  return {
    days,
    get newestDay() {
      return newestDay
    },
    push(row: OutcomeRow): void {
      successes.push(row.success === undefined ? Number.NaN : row.success ? 1 : 0)
      days.push(row.day)
      cardHashes.push(row.cardHash)
      tasks.push(row.task)
      seconds.push(row.seconds)
      answered.push(row.isAnswered ? 1 : 0)
      newestDay = Math.max(newestDay, row.day)
    },
    /** As they are until the next addition. */
    now: (): OutcomeColumns => ({
      successes: successes.values,
      days: days.values,
      cardHashes: cardHashes.values,
      tasks: tasks.values,
      seconds: seconds.values,
      answered: answered.values,
    }),
  }
}
