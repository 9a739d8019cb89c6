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
