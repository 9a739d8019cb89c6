import type { RerankerCounts, RerankingBlock, RerankingTable } from '../evaluation-run.ts'

/** Below this, a difference is taken for real. */
const significant = 0.05

/** How a row is called in others: a, b, … z, aa. */
export const letterOf = (row: number): string =>
  (row < 26 ? '' : letterOf(Math.floor(row / 26) - 1)) + String.fromCharCode(97 + (row % 26))

/** The rows that one is better than by the headline, and not by chance. */
export const betterThan = ({ pairs }: RerankingBlock, row: number): string =>
  pairs
    .flatMap(({ row: later, other, difference: { mean }, pHolm }) => {
      if (pHolm >= significant || mean === 0) return []
      const [better, worse] = mean > 0 ? [later, other] : [other, later]
      return better === row ? [worse] : []
    })
    .sort((a, b) => a - b)
    .map(letterOf)
    .join('')

/** What a row took in a part; of runs that do not tell it by part nothing but where there is one. */
export const tookIn = (
  { rows, blocks }: RerankingTable,
  { took }: RerankingBlock,
  row: number,
): RerankerCounts => took?.[row] ?? (blocks.length === 1 ? (rows[row] ?? {}) : {})
