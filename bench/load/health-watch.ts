import { setTimeout as wait } from 'node:timers/promises'

/** What a watch of a server's health saw. */
type HealthSeen = {
  /** Longest wait for an answer, in milliseconds. */
  readonly longestMs: number
  /** Messages of requests that failed, with how often. */
  readonly errors: ReadonlyMap<string, number>
}

/** Asks a server for its health all the time: how long it answers nobody shows in the longest wait. */
export function watchHealth(url: string, everyMs = 20): { stop(): Promise<HealthSeen> } {
  const health = new URL('/health', url)
  const errors = new Map<string, number>()
  let stopped = false
  let longestMs = 0
  const watching = (async () => {
    while (!stopped) {
      const asked = performance.now()
      // A connection each: one that is kept may be closed by the server just when it is used again.
      const given = { headers: { connection: 'close' } }
      await fetch(health, given)
        .then((response) => response.text())
        .catch((error: Error) => {
          const message = `GET /health: ${error.cause instanceof Error ? error.cause.message : error.message}`
          errors.set(message, (errors.get(message) ?? 0) + 1)
        })
      longestMs = Math.max(longestMs, performance.now() - asked)
      await wait(everyMs)
    }
  })()
  return {
    async stop() {
      stopped = true
      await watching
      return { longestMs, errors }
    },
  }
}
