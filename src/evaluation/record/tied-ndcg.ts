/** Scores nearer than this are equal: sums of the same numbers in another order may differ in their last bits. */
const sameWithin = 1e-9

/**
 * nDCG@k of a ranking with ties, on average over all orders of the tied ones: each of their places holds the mean of their gains.
 * How ties fall then decides nothing.
 *
 * @param candidates - score and gain >= 0 of each, in any order
 * @returns 0..1; 0 when nothing has gain
 * @see McSherry & Najork, Computing information retrieval performance measures efficiently in the presence of tied scores,
 *   ECIR 2008
 */
export function tiedNdcg(
  candidates: readonly { readonly score: number; readonly gain: number }[],
  k: number,
): number {
  const ideal = discounted(
    candidates.map(({ gain }) => gain).sort((a, b) => b - a),
    k,
  )
  if (ideal === 0) return 0
  const ranked = [...candidates].sort((a, b) => b.score - a.score)
  const gains: number[] = []
  while (gains.length < ranked.length) {
    const first = ranked[gains.length]!.score
    const tied = ranked.slice(gains.length).filter(({ score }) => first - score < sameWithin)
    const mean = tied.reduce((sum, { gain }) => sum + gain, 0) / tied.length
    gains.push(...tied.map(() => mean))
  }
  return discounted(gains, k) / ideal
}

const discounted = (gains: readonly number[], k: number): number =>
  gains.slice(0, k).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
