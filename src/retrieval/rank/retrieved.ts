import type { ScoreList } from './fusion.ts'
import type { LexicalProbe } from '../index/lexical-index.ts'

/** What one text retrieved: raw scores per retriever and the fused ones, 0..1. */
export type Retrieved = {
  readonly lexical: ScoreList
  readonly dense: ScoreList
  /** Absent where no reader took part. */
  readonly readings?: ScoreList
  readonly fused: ScoreList
  /** Probability that any of it serves, 0..1; undefined when no learned ranker took part. */
  readonly answerable: number | undefined
  /** Probability of a candidate as if there were none of a lower tier; empty where no tiers mix, and without a learned ranker. */
  readonly alone: ScoreList
  /** What the text's words find in single cards. */
  readonly probe: LexicalProbe
}
