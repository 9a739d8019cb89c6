import { NoIndexError } from '../../retrieval/ports.ts'

/** A store that is there cannot be used. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** What is wrong, without the store's name and what to do. */
  readonly reason: string
  constructor(message: string, reason: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Does something with the store, and says where, what and what to do when the store cannot be read. */
export async function readingStore<T>(location: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StoreError || error instanceof NoIndexError) throw error
    const reason = reasonOf(error)
    const remedy = /permission denied/i.test(reason)
      ? 'Check who may read that folder'
      : 'Run `audition doctor --repair`'
    throw new StoreError(
      `The store in ${location} cannot be read: ${reason}. ${remedy}, or set AUDITION_HOME to another one.`,
      reason,
      { cause: error },
    )
  }
}

/** LanceDB's messages without the lines of its sources and the repetitions that follow them. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [first = ''] = message.split(/\s*Caused by:|\n/)
  return first
    .replace(/, \/\S+\.rs(?::\d+)*/g, '')
    .replace(/(?:lance error: |LanceError\(\w+\): |Generic N\/A error: |Wrapped error: )/g, '')
    .replace(/[\s.,]+$/, '')
}
