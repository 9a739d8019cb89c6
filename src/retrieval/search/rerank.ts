import type { CardKind } from '../../domain/card.ts'
import type { Tokens } from '../../domain/tokens.ts'
import { errorText } from '../../domain/remedy-error.ts'
import type { Reranking } from '../answer.ts'
import { type CatalogSnapshot, RankerError } from '../ports.ts'
import type { CrossEncoderStage, Usage } from '../rank/cross-encoder.ts'
import { minMax, type ScoreList } from '../rank/fusion.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import { RerankerError } from '../rank/service-failures.ts'
import { embeddingText } from '../text/card-texts.ts'

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
  /** What the cross-encoder said of each card it read, by document; nothing when it failed. */
  readonly relevance: ScoreList
  readonly reranking: Reranking
  /** What an answer says where it failed; empty otherwise. */
  readonly note: string
}

/** What was found for a query, and where its cards are. */
type CardsToRead = {
  readonly snapshot: CatalogSnapshot
  readonly kind: CardKind
  readonly query: string
  readonly ranked: readonly RankedCard[]
}

const hair = 1e-9
/** So that the best of the others stays below the last of those that were read. */
const below = 0.499

/**
 * Rescores the first `depth` candidates by their texts; the others follow in their order. The rescored ones share the
 * upper half of the scores (0.5..1, min-max over what the cross-encoder said), the others keep a little less than half of theirs.
 * When the cross-encoder fails the ranking stays as it was, and `reranking` says why.
 *
 * @param ranking.ranked - score descending, 0..1; equal scores by document descending
 * @see Nogueira & Cho, Passage Re-ranking with BERT, arXiv 1901.04085
 */
export async function rerankByCrossEncoder(
  { encoder, depth, textOf = embeddingText }: CrossEncoderStage,
  { snapshot, kind, query, ranked }: CardsToRead,
  signal?: AbortSignal,
): Promise<Reranked> {
  const [read, others] = [ranked.slice(0, depth), ranked.slice(depth)]
  const used = usageOf(encoder.id, read.length)
  if (read.length === 0) return { ranked, relevance: new Map(), reranking: used.report(), note: '' }
  const { ids } = snapshot.indexes[kind]
  const idOf = ({ document }: RankedCard): string => ids.at(document)
  const cards = new Map((await snapshot.cards(read.map(idOf))).map((card) => [card.id, card]))
  const texts = read.map((candidate) => {
    const card = cards.get(idOf(candidate))
    return card === undefined ? '' : textOf(card)
  })
  const onReason = (place: number, reason: string): void => {
    const card = read[place]
    if (card !== undefined) used.explain(idOf(card), reason)
  }
  const watch = { signal, onUsage: used.add, onReason }
  const scores = await encoder.score(query, texts, watch).catch((error: unknown) => {
    signal?.throwIfAborted()
    return error instanceof Error ? error : new Error(String(error))
  })
  if (scores instanceof Error) {
    const reranking = { ...used.report(), failure: errorText(scores) }
    return { ranked, relevance: new Map(), reranking, note: noteOf(scores) }
  }
  const relevance = new Map(read.map(({ document }, place) => [document, scores[place]!]))
  const scaled = minMax(relevance)
  // What it calls equal stands as before: a hair apart, so that it stays so.
  const upper = read
    .map((card) => ({ ...card, score: 0.5 + 0.5 * scaled.get(card.document)! }))
    .sort((a, b) => b.score - a.score)
    .map((card, place) => ({ ...card, score: card.score - hair * place }))
  const lower = others.map((card) => ({ ...card, score: below * card.score }))
  return { ranked: [...upper, ...lower], relevance, reranking: used.report(), note: '' }
}

/** What others than {@link RerankerError} say may name files of this machine, or be words of others. */
const noteOf = (failure: Error): string =>
  `Ranked without the reranker: ${
    failure instanceof RerankerError
      ? errorText(failure)
      : 'it failed. `audition doctor` and `audition search --why` say more.'
  }`

/** Adds up what the requests of one search took. */
function usageOf(model: string, candidates: number) {
  const sum: { requests: number; tokens?: Tokens; cost?: number; answeredAs?: string } = { requests: 0 }
  const reasons: { [id: string]: string } = {}
  return {
    explain(id: string, reason: string): void {
      reasons[id] = reason
    },
    add({ tokens, cost, answeredAs }: Usage): void {
      if (answeredAs !== undefined) sum.answeredAs = answeredAs
      sum.requests += 1
      if (tokens !== undefined) {
        const { input = 0, output = 0 } = sum.tokens ?? {}
        sum.tokens = { input: input + tokens.input, output: output + tokens.output }
      }
      if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost
    },
    report: (): Reranking => ({
      model,
      candidates,
      ...sum,
      ...(Object.keys(reasons).length === 0 ? {} : { reasons }),
    }),
  }
}
