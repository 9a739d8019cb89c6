import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledChoice } from '../../trust/bundled/bundled-choice.ts'
import { bundledParts, looksBundled } from '../../catalog/bundled-parts.ts'
import type { Context } from '../context.ts'

/** Where the tour is held. */
export type TourStore = {
  /** `user`: their own, which has nothing else yet; `apart`: a store that is gone when the tour is over. */
  readonly kind: 'user' | 'apart'
  /** The same context over that store. */
  readonly context: Context
  end(): Promise<void>
}

/**
 * The user's store as long as nothing of their own is in it. Beside their own sources the bundled catalog would win searches that
 * theirs should win, and one that they removed must not come back: then the tour gets a store of its own.
 */
export async function tourStore(context: Context): Promise<TourStore> {
  const audition = await context.audition()
  const reviews = await audition.reviews()
  const isRemoved = bundledParts.some((part) => bundledChoice(part, reviews) === 'removed')
  const isOurs = (await audition.sources()).every(({ location }) => looksBundled(location))
  if (!isRemoved && isOurs) {
    return { kind: 'user', context, end: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'audition-tour-'))
  const tour = context.auditionAt(folder)
  return {
    kind: 'apart',
    context: { ...context, audition: () => tour },
    async end() {
      await (await tour).close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
