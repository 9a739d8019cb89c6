import { setTimeout as wait } from 'node:timers/promises'

/** Asks a server for its health all the time: how long it answers nobody shows in the longest wait. */
export function watchHealth(url: string, everyMs = 20): { stop(): Promise<{ readonly longestMs: number }> } {
  const health = new URL('/health', url)
  let stopped = false
  let longestMs = 0
  const watching = (async () => {
    while (!stopped) {
      const asked = performance.now()
      await (await fetch(health)).text()
      longestMs = Math.max(longestMs, performance.now() - asked)
      await wait(everyMs)
    }
  })()
  return {
    async stop() {
      stopped = true
      await watching
      return { longestMs }
    },
  }
}
