import type { Target } from './attack.ts'
import { snakeCase } from './words.ts'

/** How often every target had its turn before the n-th draft. */
export const roundOf = (targets: readonly Target[], place: number): number =>
  Math.floor(place / targets.length)

/**
 * The target of the n-th draft: every target has its turn before any has a second, and each round starts one target later. Drafts
 * are dealt to identities in turn, so the drafts of one target come to different identities also where the number of targets is
 * a multiple of the number of identities.
 */
export const rotated = (targets: readonly Target[], place: number): Target =>
  targets[(place + roundOf(targets, place)) % targets.length]!

/** A name of some words; of `otherwise` if they have no letter or digit. */
export const named = (words: readonly string[], otherwise = 'run_task'): string =>
  snakeCase(words).replace(/^_+|_+$/g, '') || otherwise
