import { setTimeout as wait } from 'node:timers/promises'
import type { Audition } from '../../compose/audition.ts'
import { endJobs } from './jobs.ts'
import { aborted } from '../../domain/bounds.ts'

/** Time that running requests get to finish once the server is told to stop, in milliseconds. */
export const drainMs = 10_000
/** Time that callers get to take the answer of a job that was stopped at the end of {@link drainMs}, in milliseconds. */
const answerMs = 1_000

/** What runs at the moment, and when none of it does any more. */
export type Running = {
  /** Resolves as soon as nothing runs. */
  ended(): Promise<void>
}

/**
 * Lets what was begun come to its end: requests, and jobs that no request waits for. At the deadline jobs are stopped;
 * they keep what they had recorded, and callers who wait for them are told. Nothing new may begin meanwhile.
 */
export async function drained(running: Running, app: Audition, deadline: AbortSignal): Promise<void> {
  await Promise.race([running.ended(), aborted(deadline)])
  await endJobs(app, deadline)
  await Promise.race([running.ended(), wait(answerMs, undefined, { ref: false })])
}

/** Requests that run, by what tells one from another. */
export function runningRequests<Key>(): Running & {
  add(key: Key): void
  remove(key: Key): void
  /** Resolves as soon as fewer than so many run. */
  below(count: number): Promise<void>
} {
  const running = new Set<Key>()
  let waiting: { readonly count: number; resolve(): void }[] = []
  const below = (count: number): Promise<void> =>
    running.size < count
      ? Promise.resolve()
      : new Promise((resolve) => {
          waiting.push({ count, resolve })
        })
  return {
    add: (key) => void running.add(key),
    remove(key) {
      running.delete(key)
      const isDue = ({ count }: { readonly count: number }): boolean => running.size < count
      for (const { resolve } of waiting.filter(isDue)) resolve()
      waiting = waiting.filter((one) => !isDue(one))
    },
    below,
    ended: () => below(1),
  }
}
