/** A probe, and the grades that candidates got on it. */
type GradedProbe<Probe> = { readonly probe: Probe; readonly grades: readonly number[] }

/** How much a probe tells candidates apart. */
export type Discrimination = 'low' | 'medium' | 'high'

/** How much one task told candidates apart. */
export type TellingTask = {
  readonly task: string
  /** Population variance of its grades over the candidates, 0..4. */
  readonly variance: number
  readonly discrimination: Discrimination
}

/** A probe with the variance of its grades, 0..4 for grades of 1 to 5. */
type WeighedProbe<Probe> = GradedProbe<Probe> & {
  readonly variance: number
  readonly discrimination: Discrimination
}

/**
 * Tells how much each probe tells candidates apart: by the population variance of its grades across them, in terciles of the probes.
 *
 * The n probes are ordered by variance, rising, places counted from 0. A probe is low when its variance is below that of the one in
 * place floor(n / 3), medium when it is below that of the one in place floor(2n / 3), else high. Equal variances stand together, in the higher tercile, except that a probe
 * on which all candidates got the same grade is always low: it tells nothing. With one or two probes only such ones are low.
 *
 * Probes of low variance do not help to rank (AgentSearchBench finds the highest win rates with high variance, and little or no gain
 * with low).
 *
 * @returns in the order given
 * @see our digest of AgentSearchBench, section 9: the paper's cut is not published, and this one is ours
 */
export function weighProbes<Probe>(probes: readonly GradedProbe<Probe>[]): readonly WeighedProbe<Probe>[] {
  const variances = probes.map(({ grades }) => variance(grades))
  const rising = variances.toSorted((left, right) => left - right)
  const third = rising[Math.floor(rising.length / 3)] ?? 0
  const twoThirds = rising[Math.floor((2 * rising.length) / 3)] ?? 0
  return probes.map((probe, index) => {
    const own = variances[index]!
    const discrimination = own === 0 || own < third ? 'low' : own < twoThirds ? 'medium' : 'high'
    return { ...probe, variance: own, discrimination }
  })
}

/** Divided by n; 0 for fewer than two grades. */
function variance(grades: readonly number[]): number {
  const mean = grades.reduce((sum, grade) => sum + grade, 0) / Math.max(1, grades.length)
  return grades.reduce((sum, grade) => sum + (grade - mean) ** 2, 0) / Math.max(1, grades.length)
}
