import { aiSdk } from './ai-sdk.ts'
import { auditionRanker, type SearchAmong } from './audition.ts'
import { bm25 } from './bm25.ts'
import { claudeCode } from './claude-code.ts'
import type { HostRanker } from './host-ranker.ts'

/** The rankers that tools are measured by, in the order of tables. */
export const hostRankers = (searchAmong: SearchAmong): readonly HostRanker[] => [
  claudeCode,
  aiSdk,
  bm25,
  auditionRanker(searchAmong),
]
