/** A series of changes is told after so many times the quiet time, whether it ends or not. */
const mostQuietTimes = 10
/** After changes were taken in, so many times as long as that took passes before the next are. */
const restTimes = 4

/** Changes that come in series. */
type ChangeSeries = {
  /** Something changed at these places; without any, what changed meanwhile is told in its time. */
  touch(places: readonly string[]): void
  /** Nothing is told any more. */
  close(): void
}

/**
 * Tells of a series of changes when it has ended, and of no other until that one was taken in.
 *
 * @param quietMs - time without a change that ends a series
 */
export function changeSeries(
  takeIn: (places: readonly string[]) => Promise<void>,
  quietMs: number,
): ChangeSeries {
  const changed = new Set<string>()
  let quiet: { readonly timer: NodeJS.Timeout; readonly since: number } | undefined
  let pauseMs = quietMs
  let isTelling = false
  let isClosed = false

  const touch = (places: readonly string[]): void => {
    for (const place of places) changed.add(place)
    if (changed.size === 0 || isClosed || isTelling) return
    clearTimeout(quiet?.timer)
    const since = quiet?.since ?? Date.now()
    const left = since + mostQuietTimes * pauseMs - Date.now()
    quiet = { timer: setTimeout(() => void tell(), Math.max(0, Math.min(pauseMs, left))).unref(), since }
  }

  const tell = async (): Promise<void> => {
    isTelling = true
    quiet = undefined
    const places = [...changed]
    changed.clear()
    const started = Date.now()
    try {
      await takeIn(places)
    } finally {
      isTelling = false
      pauseMs = Math.max(quietMs, restTimes * (Date.now() - started))
      touch([])
    }
  }

  return {
    touch,
    close() {
      isClosed = true
      clearTimeout(quiet?.timer)
    },
  }
}
