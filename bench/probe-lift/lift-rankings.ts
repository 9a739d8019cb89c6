import type { Outcome } from '../../src/domain/outcome.ts'
import { type Ranking, rank } from '../../src/domain/ranking.ts'
import type { RankerName } from '../../src/retrieval/answer.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { type SearchContext, search } from '../../src/retrieval/search/search.ts'
import { indexedOutcome, type RecordIndex, recordIndex } from '../../src/retrieval/record/record-index.ts'
import { quantisedTask } from '../../src/retrieval/record/task-vectors.ts'
import { weighedBy } from '../../src/retrieval/record/weigh-search.ts'
import type { LiftQuery } from './lift-queries.ts'

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

/** A track record in memory, as a search reads it. Without a model no task is nearer than another. */
async function recordOf(
  outcomes: readonly Outcome[],
  model: EmbeddingModel | null,
  signal: AbortSignal,
): Promise<RecordIndex> {
  const texts = [...new Set(outcomes.map(({ task }) => task))]
  const vectors = (await model?.embed(texts, 'query', signal)) ?? []
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]))
  const record = recordIndex(model && { model: model.id, dimensions: model.dimensions })
  record.add(
    outcomes.map((outcome) => {
      const vector = vectorOf.get(outcome.task)
      return indexedOutcome(outcome, vector ? quantisedTask(vector) : null)
    }),
  )
  return record
}
