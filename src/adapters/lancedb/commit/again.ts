import { setTimeout as wait } from 'node:timers/promises'

/** Attempts that fail on the way to the store before that is the end: of a hundred requests none is sent twice. */
export const mostFailures = 9
const firstPauseMs = 100
const longestPauseMs = 5000

/** Longer each time, and shortened by chance so that writers do not keep step. */
export async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1))
  await wait(longest * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {})
}

/** Does again what nothing stands on yet, where the way to the store fails. */
export async function againWherePassing<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined = undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || attempt > mostFailures) throw error
      await pause(attempt, signal)
    }
  }
}

/**
 * Whether an error may be gone at the next attempt: of the way to object storage, where nothing is asked twice while a commit is
 * written, or of writers that were in each other's way more often than LanceDB tries again.
 */
export const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  /Generic (?:\w+ error|\{ store)|HTTP error|error sending request|timed out|conflict|concurrent|contention/i.test(
    error.message,
  )
