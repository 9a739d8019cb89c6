import type { Bench } from '../../bench/bench.ts'

/** All attack suites, in the order they run. */
export const suites: readonly Bench[] = []
