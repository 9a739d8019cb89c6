import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'

/** One of several, none favoured. */
export const oneOf = <T>(random: SeededRandom, items: readonly T[]): T => items[random.below(items.length)]!

/** True once in so many times. */
export const onceIn = (random: SeededRandom, times: number): boolean => random.below(times) === 0
