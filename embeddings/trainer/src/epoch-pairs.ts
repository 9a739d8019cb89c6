import type { TrainingPair } from './training-texts.ts'

/**
 * The pairs of one epoch in random order: each supervised one once, and so many self-supervised ones.
 *
 * @param most - self-supervised pairs at most
 * @param random - numbers 0..1
 */
export function epochPairs(
  supervised: readonly TrainingPair[],
  selfSupervised: readonly TrainingPair[],
  most: number,
  random: () => number,
): readonly TrainingPair[] {
  return shuffled([...supervised, ...shuffled(selfSupervised, random).slice(0, most)], random)
}

/** A copy in random order. @param random - numbers 0..1 */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list]
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const moved = copy[at]!
    copy[at] = copy[other]!
    copy[other] = moved
  }
  return copy
}
