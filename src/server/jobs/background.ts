import type { Audition } from '../../compose/audition.ts'
import type { FollowOptions, Keeping } from './follow-sources.ts'

type KeepingOptions = FollowOptions & {
  /** Time before it begins, so that hosts settle first, in milliseconds. @defaultValue 2000 */
  readonly delayMs?: number
}

/** Follows the sources of the index, a moment after the start: a host that lists tools waits for none of it. */
export function keepCurrent(app: Audition, { delayMs = 2_000, ...options }: KeepingOptions = {}): Keeping {
  let following: Promise<Keeping> | undefined
  const timer = setTimeout(() => {
    following = import('./follow-sources.ts').then(({ followSources }) => followSources(app, options))
  }, delayMs).unref()
  return {
    async close() {
      clearTimeout(timer)
      await (await following)?.close()
    },
  }
}

/** Time a host gets to settle its handshake before the store takes the processor, in milliseconds. */
const delayMs = 250

/**
 * Opens the store in the background, so that the first search need not wait for it. What fails (nothing indexed yet)
 * is told by the call that needs the store.
 */
export function warmUp(app: Audition): void {
  setTimeout(() => {
    const open = async () => app.counts()
    open().catch(() => undefined)
  }, delayMs).unref()
}
