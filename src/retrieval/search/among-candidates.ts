import type { SearchRequest } from '../answer.ts'
import type { EmbeddingModel } from '../ports.ts'
import { analyzeQuery } from '../text/analyze.ts'
import { embeddedTexts, type SearchContext } from './search.ts'

type Searched = Pick<SearchContext, 'snapshot' | 'model'>

/**
 * What a search runs on: of a catalog in an engine the candidates that it gives for the words and the vectors of a request, which the
 * search then ranks as it ranks a catalog of its own. The vectors are those that it asks for itself, and are not made twice.
 */
export async function amongCandidates(
  { snapshot, model }: Searched,
  request: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<Searched> {
  const { engine } = snapshot
  if (engine === undefined) return { snapshot, model }
  const texts = embeddedTexts(request)
  const vectors = model === null ? [] : await model.embed(texts, 'query', signal)
  const terms = new Set(texts.flatMap((text) => analyzeQuery(text).map(({ term }) => term)))
  const { kind, filter } = request
  const tokensOf = model?.ranker?.tokensOf
  const candidates = await engine.among({ kind, filter, terms: [...terms], vectors, tokensOf })
  return { snapshot: candidates, model: model && embeddedBefore(model, texts, vectors) }
}

/** A model that need not embed the same texts again. */
function embeddedBefore(
  model: EmbeddingModel,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): EmbeddingModel {
  const known = new Map(texts.map((text, at) => [text, vectors[at]!]))
  return {
    ...model,
    async embed(asked, role, signal) {
      const found = asked.flatMap((text) => (role === 'query' ? (known.get(text) ?? []) : []))
      return found.length === asked.length ? found : model.embed(asked, role, signal)
    },
  }
}
