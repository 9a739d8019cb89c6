/** The time a server had is over. */
export class HarvestTimeout extends Error {
  override readonly name = 'HarvestTimeout'
}

/** One signal for all that may end a harvest early: the caller, the clock, a limit. */
export type StopSignal = {
  readonly signal: AbortSignal
  stop(reason: Error): void
  /** The result of the work, or the rejection of the reason to stop, whichever comes first. */
  orStopped<T>(work: Promise<T>): Promise<T>
  /** Lets go of the timer and of the caller's signal. */
  release(): void
}

export function stopSignal(caller: AbortSignal, timeoutMs: number): StopSignal {
  const controller = new AbortController()
  const onCallerAbort = () => controller.abort(caller.reason)
  if (caller.aborted) onCallerAbort()
  else caller.addEventListener('abort', onCallerAbort, { once: true })
  const timer = setTimeout(() => controller.abort(new HarvestTimeout()), timeoutMs)
  const { signal } = controller
  const stopped = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(signal.reason as Error)
    if (signal.aborted) refuse()
    else signal.addEventListener('abort', refuse, { once: true })
  })
  stopped.catch(() => {}) // nobody may be waiting when it is stopped
  return {
    signal,
    stop: (reason) => controller.abort(reason),
    orStopped(work) {
      work.catch(() => {}) // when stopped, how the work ends no longer matters
      return Promise.race([work, stopped])
    },
    release() {
      clearTimeout(timer)
      caller.removeEventListener('abort', onCallerAbort)
    },
  }
}
