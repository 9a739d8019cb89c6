/** Scores of one retriever by document number; what is missing was not retrieved. */
export type ScoreList = ReadonlyMap<number, number>

/**
 * Scales scores to 0..1. All-equal scores become 1.
 *
 * @param floor - the score of everything that was not retrieved, when it is known; else the list's lowest
 * @see AgentSearchBench, arXiv 2604.22436, eq. 3
 */
export function minMax(scores: ScoreList, floor?: number): ScoreList {
  let low = floor ?? Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const score of scores.values()) {
    if (score < low) low = score
    if (score > high) high = score
  }
  const range = high - low
  const scaled = new Map<number, number>()
  for (const [document, score] of scores) scaled.set(document, range > 0 ? (score - low) / range : 1)
  return scaled
}

/**
 * Weighted sum of scaled lists, weights scaled to sum 1; a document missing from a list gains nothing there.
 *
 * @see AgentSearchBench, arXiv 2604.22436, eq. 3 and 7
 */
export function weightedSum(
  lists: readonly { readonly scores: ScoreList; readonly weight: number }[],
): ScoreList {
  const total = lists.reduce((sum, { weight }) => sum + weight, 0)
  const fused = new Map<number, number>()
  for (const { scores, weight } of lists) {
    for (const [document, score] of scores)
      fused.set(document, (fused.get(document) ?? 0) + (weight / total) * score)
  }
  return fused
}

/** What each retriever counts where cards were read, of 1. It decides which candidates a ranker sees, not in which order. */
export const readingShares = { lexical: 0.25, dense: 0.25, reading: 0.5 } as const

/** The plain fusion of three retrievers; one that found nothing has no say. */
export function fuseWithReading(
  found: {
    readonly [retriever in keyof typeof readingShares]: ScoreList
  },
): ScoreList {
  const lists = [
    { scores: minMax(found.lexical, 0), weight: readingShares.lexical },
    { scores: minMax(found.dense), weight: readingShares.dense },
    { scores: minMax(found.reading), weight: readingShares.reading },
  ].filter(({ scores }) => scores.size > 0)
  return weightedSum(lists)
}

/**
 * Fuses lists by rank: a document scores the sum of 1 / (60 + rank), rank counted from 1.
 *
 * @param lists - each in rank order, best first
 * @see Cormack, Clarke & Büttcher, SIGIR 2009, pp. 758-759
 */
export function reciprocalRankFusion(lists: readonly (readonly number[])[]): ScoreList {
  const fused = new Map<number, number>()
  for (const list of lists) {
    list.forEach((document, index) => {
      fused.set(document, (fused.get(document) ?? 0) + 1 / (61 + index))
    })
  }
  return fused
}
