import type { CardKind } from '../../domain/card.ts'
import { embeddingText } from '../text/card-texts.ts'
import { minMax, type ScoreList } from './fusion.ts'
import type { CatalogSnapshot } from '../ports.ts'
import type { RankedCard } from './ranked-card.ts'
import { RankerError } from './ranker-error.ts'

/** Reads a query and a document together and says how relevant the document is. Slow: for few candidates. */
export type CrossEncoder = {
  /** Everything that changes its scores. */
  readonly id: string
  /**
   * One relevance per document, in order; higher is better. Finite, of any range, comparable within the call.
   *
   * @throws EmbeddingModelError when the model cannot compute
   */
  score(query: string, documents: readonly string[], signal?: AbortSignal): Promise<Float32Array>
  close(): Promise<void>
}

/** A cross-encoder at its place in a search. */
export type CrossEncoderStage = {
  readonly encoder: CrossEncoder
  /** Candidates that are rescored. Integer >= 1. */
  readonly depth: number
}

/** Why the ranker `cross-encoder` cannot be had. */
export const noCrossEncoder = (): RankerError =>
  new RankerError(
    'Ranker "cross-encoder" needs a cross-encoder, and none is configured.',
    'Take another ranker, or set AUDITION_RERANKER, for example to transformers:Xenova/ms-marco-MiniLM-L-6-v2',
  )

/** What reranking made of a ranking. */
type Reranked = {
  /** The same cards, best first. */
  readonly ranked: readonly RankedCard[]
  /** What the cross-encoder said of each card it read, by document. */
  readonly relevance: ScoreList
}

/** What was found for a query, and where its cards are. */
type CardsToRead = {
  readonly snapshot: CatalogSnapshot
  readonly kind: CardKind
  readonly query: string
  readonly ranked: readonly RankedCard[]
}

/** So that the best of the others stays below the last of those that were read. */
const below = 0.499

/**
 * Rescores the first `depth` candidates by their texts; the others follow in their order. The rescored ones share the
 * upper half of the scores (0.5..1, min-max over what the cross-encoder said), the others keep a little less than half of theirs.
 *
 * @param ranking.ranked - score descending, 0..1; equal scores by document descending
 * @see Nogueira & Cho, Passage Re-ranking with BERT, arXiv 1901.04085
 */
export async function rerankByCrossEncoder(
  { encoder, depth }: CrossEncoderStage,
  { snapshot, kind, query, ranked }: CardsToRead,
  signal?: AbortSignal,
): Promise<Reranked> {
  const [read, others] = [ranked.slice(0, depth), ranked.slice(depth)]
  if (read.length === 0) return { ranked, relevance: new Map() }
  const { ids } = snapshot.indexes[kind]
  const idOf = ({ document }: RankedCard): string => ids.at(document)
  const cards = new Map((await snapshot.cards(read.map(idOf))).map((card) => [card.id, card]))
  const texts = read.map((candidate) => {
    const card = cards.get(idOf(candidate))
    return card === undefined ? '' : embeddingText(card)
  })
  const scores = await encoder.score(query, texts, signal)
  const relevance = new Map(read.map(({ document }, place) => [document, scores[place]!]))
  const scaled = minMax(relevance)
  const upper = read.map((card) => ({ ...card, score: 0.5 + 0.5 * scaled.get(card.document)! }))
  const lower = others.map((card) => ({ ...card, score: below * card.score }))
  upper.sort((a, b) => b.score - a.score || b.document - a.document)
  return { ranked: [...upper, ...lower], relevance }
}
