import type { Card, CardKind } from '../domain/card.ts'
import type { CardFilter } from './index/card-filter.ts'

/** What a caller asks of search. */
export type SearchRequest = {
  readonly kind: CardKind
  /** The need in plain words; may be a long, many-step story. At most 8,000 characters are read. */
  readonly query: string
  /** What the wanted cards do, said in other words or more exactly. Read by itself, and counts as much as the query. */
  readonly instruction?: string
  /** What else is known: the wider goal, the conversation so far. Read by itself, and counts as far as it helps. */
  readonly context?: string
  /** Candidates wanted. Integer 1..100. @defaultValue 5 */
  readonly k?: number
  /** As many as are needed in place of `k`: 3 to 20, by how sure the ranking is. @defaultValue false */
  readonly enough?: boolean
  readonly filter?: CardFilter
  /**
   * Which retrievers take part: `auto` is hybrid when the store has vectors, else lexical. Where a cross-encoder is
   * configured `auto` is `cross-encoder`: the same, with the first candidates reranked. @defaultValue 'auto'
   */
  readonly ranker?: 'auto' | RankerName
  /**
   * `diverse` folds near-identical cards, caps publishers and covers every step; `ranking` gives the bare ranking, as
   * measures want it. @defaultValue 'diverse'
   */
  readonly pack?: 'diverse' | 'ranking'
}

/**
 * Which retrievers take part and how their scores meet; `learned` lets a trained ranker score what both found, and `reader` one that
 * looks at readings of the cards too. Of a model of several parts the others go by the last.
 */
export type Ranker = 'lexical' | 'dense' | 'hybrid' | 'rrf' | 'learned' | 'reader'

/** How an answer was ranked. */
export type RankerName = Ranker | 'cross-encoder'

/** What stands behind a card, the surest first; `proven`: it succeeded here when it was tried. */
export const tiers = ['proven', 'installed', 'accepted', 'stranger', 'newcomer', 'distrusted'] as const

/** `proven`, `installed`, `accepted`, `stranger`, `newcomer` or `distrusted`: what stands behind a card. */
export type Tier = (typeof tiers)[number]

/** Why a candidate stands where it does. Scores are of this query only; they do not compare across queries. */
export type Signals = {
  /** Field-weighted BM25 of the whole query, >= 0; absent when no word of the query matched. */
  readonly lexical?: number
  /** Cosine of query and card vectors, -1..1; absent without a model or when not retrieved by it. */
  readonly dense?: number
  /** Cosine of what a reader made of query and card, -1..1; absent without a reader or when not retrieved by it. */
  readonly reading?: number
  /** Relevance by the cross-encoder, higher is better: 0..1, or a logit if so configured; absent when it read another. */
  readonly crossEncoder?: number
  /** Share of the query's information (inverse document frequency) that the card's words cover, 0..1. */
  readonly coverage: number
  /** Query words found in the card, as the query wrote them, most informative first; at most 8. */
  readonly matched: readonly string[]
  /** The tool or agent whose evidence lifted this one, and by how much of the final score, 0..1. */
  readonly lift?: { readonly from: string; readonly share: number }
  /** Numbers (from 0) of the query's facets that this candidate serves best; empty for a one-step query. */
  readonly facets: readonly number[]
  /** Ids of near-identical cards that were folded into this one. */
  readonly duplicates: readonly string[]
  /** Whose words it is, where it is not what the user has installed; `proven`: not so either, and it worked here. */
  readonly provenance?: Exclude<Tier, 'installed'>
  /** Present: it stands behind others, since it reads as written to be found and comes from a source that is not the user's. */
  readonly standsBack?: StandsBackSignal
  /** What its track record says; absent when it was never run. */
  readonly record?: RecordSignal
  /** What keeps it from running here; absent when nothing does, and when the answer was not asked for running. */
  readonly obstacle?: Obstacle
}

/** Why a card cannot be run here as things stand. */
export type Obstacle =
  /** The user's settings do not allow what it would start. */
  | { readonly kind: 'permission'; readonly missing: readonly string[]; readonly display: string }
  /** Something is missing: a way to run cards of its sort, a file, a program, a model, a key. */
  | { readonly kind: 'runtime'; readonly message: string; readonly remedy: string }

/** That a candidate stands behind others for the way its source writes. */
export type StandsBackSignal = {
  /** Part of its score that it lost, 0..1. Of a source that the user does not distrust, half at most. */
  readonly share: number
  /** The reason, in words. */
  readonly because: string
  /** The command by which the user lifts it. */
  readonly lift: string
}

/** Uses of a card in few numbers. */
export type UseSummary = {
  /** Those that say something of the card: it worked, failed by itself, or took too long. */
  readonly uses: number
  readonly worked: number
}

/** A candidate's track record in short. */
export type RecordSignal = {
  /** Graded runs, and those that succeeded (grade 4 or 5). */
  readonly runs: number
  readonly successes: number
  /** The same of tasks similar to the query. */
  readonly similarRuns: number
  readonly similarSuccesses: number
  /** Calls and runs for callers, which nobody judged; absent when there were none. */
  readonly used?: UseSummary
  /** Wall time of its answers, seconds; null when it never answered. */
  readonly medianSeconds: number | null
  /** Probability that it serves this query well, shrunken: 0..1. */
  readonly estimate: number
  /** Whether its own verdicts speak for it or against it: what failed stands behind what nobody tried. */
  readonly speaks: 'for' | 'against' | 'neither'
}

/** One answer of a search. */
export type ScoredCard = { readonly card: Card; readonly score: number; readonly signals: Signals }

/** What a search found. */
export type SearchAnswer = {
  readonly kind: CardKind
  /** Best first, at most k. Weak candidates are still listed when `match` is `none`, so that a person can judge. */
  readonly candidates: readonly ScoredCard[]
  /** `good`: the first candidate covers the need; `weak`: it shares some of it; `none`: nothing here fits. */
  readonly match: 'good' | 'weak' | 'none'
  /** Probability that anything indexed serves, 0..1; absent when no learned ranker took part. */
  readonly likelihood?: number
  /** Says why `match` is not `good`, and what keeps the search from its best; empty where neither is to be said. */
  readonly note: string
  /** The query in English, where it was asked in another language that is known. */
  readonly readAs?: string
  /** The steps the query was split into; one entry when it has one. */
  readonly facets: readonly string[]
  /** Cards that the filter admits. */
  readonly searched: number
  readonly ranker: RankerName
  /** What the reranker did; absent when none took part. */
  readonly reranking?: Reranking
  readonly generation: number
}

/** What a reranker did in one search. */
export type Reranking = {
  /** Which it was. */
  readonly model: string
  /** Candidates that it was given. */
  readonly candidates: number
  /** Why cards stand first, by their ids, in the words of a language model that was to explain. */
  readonly reasons?: { readonly [id: string]: string }
  /** The name under which a language model answered, where it is another's. */
  readonly answeredAs?: string
  /** Answers of a model that others run; 0 of one on this machine. */
  readonly requests: number
  /** What these took, as far as they tell. */
  readonly tokens?: { readonly input: number; readonly output: number }
  /** US dollars, where the settings state the model's prices. */
  readonly cost?: number
  /** Why it could not be used: the ranking is the one of before. May name files of this machine. */
  readonly failure?: string
}
