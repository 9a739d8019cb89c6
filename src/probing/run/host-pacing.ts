import { setTimeout as wait } from 'node:timers/promises'

/** Waits so long, or rejects with the signal's reason when that aborts first. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const sleep: Sleep = (milliseconds, signal) =>
  wait(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())

/** Resolves when an execution that leaves for the host may start; null leaves this machine for none. */
export type HostPacing = (host: string | null, signal: AbortSignal) => Promise<void>

/**
 * Keeps a least time between the starts of two executions for the same host.
 *
 * @param seconds - between two starts, >= 0
 * @param now - milliseconds on a clock that only goes forward
 * @see AgentSearchBench, safeguards of its executor: one second between calls of a platform
 */
export function hostPacing(seconds: number, now: () => number, wait: Sleep): HostPacing {
  const freeAt = new Map<string, number>()
  return async (host, signal) => {
    if (host === null || seconds === 0) return
    const present = now()
    const start = Math.max(present, freeAt.get(host) ?? present)
    freeAt.set(host, start + seconds * 1000)
    if (start > present) await wait(start - present, signal)
  }
}
