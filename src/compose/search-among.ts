import type { Card } from '../domain/card.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import { memorySnapshot } from '../retrieval/index/memory-snapshot.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'
import { search } from '../retrieval/search.ts'

/** What a search in memory runs on, opened when it is needed. */
type Models = {
  readonly openModel: () => Promise<EmbeddingModel | null>
  readonly openCrossEncoder: () => Promise<CrossEncoderStage | null>
}

/** Searches cards that lie in memory, by the models that are configured. They are read only where the ranker `reader` is asked for. */
export async function searchAmong(
  cards: readonly Card[],
  { request, signal }: { readonly request: SearchRequest; readonly signal: AbortSignal | undefined },
  { openModel, openCrossEncoder }: Models,
): Promise<SearchAnswer> {
  const [whole, crossEncoder] = await Promise.all([openModel(), openCrossEncoder()])
  const model = request.ranker === 'reader' ? whole : (whole?.plain ?? whole)
  const snapshot = await memorySnapshot(cards, model)
  signal?.throwIfAborted()
  return search({ snapshot, model, crossEncoder }, request, signal)
}
