import type { Outcome } from '../../domain/outcome.ts'
import { type Ranking, rank } from '../../domain/ranking.ts'
import type { RankerName } from '../../retrieval/answer.ts'
import { type SearchContext, search } from '../../retrieval/search.ts'
import { weighedBy } from '../../retrieval/track-record/weigh-search.ts'
import type { LiftQuery } from './lift-queries.ts'
import { recordOf } from './record-of.ts'

/** The longest ranking that search gives. */
const depth = 100

/**
 * Searches for every query, as hosts do but for the folding of near-copies: here all candidates are near-copies.
 *
 * @param outcomes - the track record; empty searches by description alone
 */
export async function liftRankings(
  context: SearchContext,
  queries: readonly LiftQuery[],
  outcomes: readonly Outcome[],
  signal: AbortSignal,
): Promise<{ readonly rankings: readonly Ranking[]; readonly ranker: RankerName }> {
  const rankings: Ranking[] = []
  let ranker: RankerName = 'lexical'
  const record = await recordOf(outcomes, context.model, signal)
  for (const { text } of queries) {
    const answer = await search(
      { ...context, ...weighedBy(record, context.snapshot, context.settings) },
      { kind: 'tool', query: text, k: depth, pack: 'ranking' },
      signal,
    )
    ranker = answer.ranker
    rankings.push(rank(answer.candidates.map(({ card, score }) => ({ id: card.id, score }))))
  }
  return { rankings, ranker }
}
