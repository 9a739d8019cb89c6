/**
 * Runs something until it ends, a signal stops it, or its time is up. One controller stands for both reasons and is held here:
 * signals of `AbortSignal.any` and `AbortSignal.timeout` may be collected as garbage before they fire.
 *
 * @param milliseconds - > 0
 * @throws the signal's reason, or a DOMException named `TimeoutError`, at once, even if `run` does not listen
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  milliseconds: number,
  run: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const alarm = setTimeout(
    () => stop.abort(new DOMException(`It took longer than ${milliseconds / 1000} s.`, 'TimeoutError')),
    milliseconds,
  )
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
  })
  try {
    return await Promise.race([run(stop.signal), stopped])
  } finally {
    clearTimeout(alarm)
    signal.removeEventListener('abort', onAbort)
  }
}
