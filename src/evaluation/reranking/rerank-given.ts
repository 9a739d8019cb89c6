import type { Reranking, SearchRequest } from '../../retrieval/answer.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { type CrossEncoderStage, rerankByCrossEncoder } from '../../retrieval/rank/cross-encoder.ts'
import { textsOfRequest } from '../../retrieval/request-texts.ts'
import type { Answered } from '../query-outcome.ts'

/** A ranking that others made, and where its cards are. */
type Given = {
  readonly snapshot: CatalogSnapshot
  readonly request: SearchRequest
  /** Ids, best first; those that are no cards of the snapshot keep no place. */
  readonly pool: readonly string[]
}

/** Has the first candidates of another system's ranking put in order anew; the others follow as they were. */
export async function rerankGiven(
  stage: CrossEncoderStage,
  { snapshot, request, pool }: Given,
  signal: AbortSignal | undefined,
): Promise<Answered & { readonly reranking: Reranking }> {
  const { kind, k = pool.length } = request
  const index = snapshot.indexes[kind]
  const { text, besides } = textsOfRequest(request, index)
  const known = pool.map((id) => index.ids.indexOf(id)).filter((document) => document !== -1)
  const ranked = known.map((document, place) => ({
    ...{ document, score: 1 - place / known.length, facets: [] },
    ...{ lexical: undefined, dense: undefined, lift: undefined },
  }))
  const query = [text, ...besides.map((beside) => beside.text)].join('\n')
  const reranked = await rerankByCrossEncoder(stage, { snapshot, kind, query, ranked }, signal)
  const candidates = reranked.ranked
    .slice(0, k)
    .map(({ document, score }) => ({ id: index.ids.at(document), score }))
  return { candidates, match: 'good', tokens: 0, reranking: reranked.reranking }
}
