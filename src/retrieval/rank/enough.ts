/** Candidates of an answer, where the caller leaves their number to the search. */
const least = 3
const most = 20
/** Where scores are no probabilities, and where probably nothing fits. */
export const usualCandidates = 5
/** Share of the probability of the first {@link most} that the answer holds. */
const share = 0.95

/**
 * How many of the first candidates an answer should hold: few where the search is sure, more where several may serve. Over the development sets that costs
 * nine candidates in the mean, and holds as many of those that serve as ten do (docs/benchmarks.md).
 *
 * @param packed - gives the first k candidates with their scores, probabilities of 0..1
 */
export function enoughCandidates(packed: (k: number) => readonly { readonly score: number }[]): number {
  const scores = packed(most).map(({ score }) => Math.max(0, score))
  const all = scores.reduce((sum, score) => sum + score, 0)
  let held = 0
  for (const [place, score] of scores.entries()) {
    held += score
    if (place + 1 >= least && held >= share * all) return place + 1
  }
  return Math.max(1, scores.length)
}
