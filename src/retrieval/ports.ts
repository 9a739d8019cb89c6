import type { Card, CardKind } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { Sending } from '../store/catalog-writer.ts'
import type { SourceReview } from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import type { CardFilter } from './index/card-filter.ts'
import type { CardIndex } from './index/card-index.ts'
import type { TokensOf } from './index/card-tokens.ts'
import type { LearnedRanker } from './rank/learned-ranker.ts'

/** Turns texts into unit vectors. Queries and documents may be treated differently (prefixes, towers). */
export type EmbeddingModel = {
  /** Stored with the vectors: a store built with one model refuses another. */
  readonly id: string
  readonly dimensions: number
  /**
   * How a vector is cut, where it is several side by side: their lengths, which add up to `dimensions`. Each part is then a unit vector
   * divided by the square root of their number, so that the whole is one too; a part of zeros says that the text has not that part.
   * Absent: one part.
   */
  readonly parts?: readonly number[]
  /** Of several parts: the first alone, with a ranker that reads no other. Opening it and embedding by it opens nothing of the rest. */
  readonly plain?: EmbeddingModel
  /** Of several parts: where there are more cards of a kind than this, theirs have the first part alone. Absent: however many. */
  readonly mostCards?: number
  /** One unit vector per text, in order. */
  embed(
    texts: readonly string[],
    role: 'query' | 'document',
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>
  /** For models whose queries have a place for an instruction: the unit vector of both. Absent: each is embedded by itself. */
  embedInstructed?(query: string, instruction: string, signal?: AbortSignal): Promise<Float32Array>
  /** For models that choose what they read of a card: one unit vector per card. Absent: a card is embedded as one text. */
  embedCards?(cards: readonly Card[]): Promise<readonly Float32Array[]>
  /** Of a model that others run: what would be sent to them. Absent: nothing leaves this machine. */
  readonly service?: {
    sendingOf(texts: readonly string[]): Sending
    /** Somebody agreed: so much may be sent. Without it `embed` refuses what is more than a few cards. */
    agree(sending: Sending): void
    /** Whether anything may be sent: somebody agreed once to send cards of this store, or its vectors are the model's. */
    isAgreed(): boolean
    /**
     * Learns how long its vectors are, which may send one word of ours where somebody agreed; `dimensions` throws before, where nobody stated it and no vector is
     * kept.
     *
     * @param learn.stored - as the store's vectors are; absent: it is asked
     * @throws NotAgreedError where it would be asked and nobody agreed; EmbeddingModelError when it cannot be asked, or its vectors are known to be of another length
     */
    ready(learn?: {
      /** For an index run, which waits longer and asks again more often than a search. */
      readonly forIndex?: boolean
      readonly stored?: number | undefined
      readonly signal?: AbortSignal | undefined
    }): Promise<void>
  }
  /** Ranks what both retrievers found, when the model was trained together with a ranker. */
  readonly ranker?: LearnedRanker
  close(): Promise<void>
}

/** One committed state of the catalog: everything a search reads, immutable. */
export type CatalogSnapshot = {
  /** Grows with every commit. */
  readonly generation: number
  /** Of a catalog in an engine the indexes hold no cards, only what is known of all of them. */
  readonly indexes: { readonly [kind in CardKind]: CardIndex }
  /** The model that made the stored vectors, or null when there are none. */
  readonly embedding: { readonly model: string; readonly dimensions: number } | null
  /** Full cards by id, in the order asked; an unknown id is left out. */
  cards(ids: readonly string[]): Promise<readonly Card[]>
  /** Content hashes of cards by id; an unknown id is left out. Of many it is quicker than {@link cards}. */
  hashes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Where the catalog lies in an engine that searches it. Absent: {@link indexes} hold all cards. */
  readonly engine?: CatalogEngine
}

/** A catalog that is searched where it lies. */
export type CatalogEngine = {
  /** The cards that may answer a request, with all that a search reads of them, as a catalog of its own. */
  among(wanted: EngineRequest): Promise<CatalogSnapshot>
  /** All cards as one catalog: for who compares them with each other. */
  whole(tokensOf?: TokensOf): Promise<CatalogSnapshot>
  /** Ids of cards, in order. */
  ids(wanted?: {
    readonly kind?: CardKind | undefined
    readonly source?: string
    /** Letters that an id holds, in whatever case; or begins with. */
    readonly holding?: string
    readonly beginning?: string
    /** At most so many. @defaultValue all */
    readonly limit?: number
  }): Promise<readonly string[]>
}

/** What an engine is asked for. */
export type EngineRequest = {
  readonly kind: CardKind
  readonly filter?: CardFilter | undefined
  /** Terms of the request and of all its steps. */
  readonly terms: readonly string[]
  /** Vectors of the request and of each step; none searches by words alone. */
  readonly vectors: readonly Float32Array[]
  /** As in `packCardIndex`. */
  readonly tokensOf?: TokensOf | undefined
}

/** Gives the newest committed snapshot; cheap when nothing changed. */
export type CatalogReader = {
  /**
   * @param freshness - `now` looks for a newer commit even if it was looked for a moment ago
   * @throws NoIndexError when nothing was ever indexed
   */
  snapshot(freshness?: 'now'): Promise<CatalogSnapshot>
  /** What the store remembers of its sources, by id; none when nothing was ever indexed. */
  sources(): Promise<readonly SourceState[]>
  /** What is held of the sources, and what the user decided; none when nothing was ever indexed. */
  reviews(): Promise<readonly SourceReview[]>
  /** Of a replica of object storage: how old what it answers by may be; null before the first search. */
  age?(): SnapshotAge | null
  close(): Promise<void>
}

/** How old a snapshot may be. */
export type SnapshotAge = {
  readonly generation: number
  /** When it was the newest, as the store said. */
  readonly seen: Date
  /** Why nobody knows of a newer one, and since when; absent while the store answers. */
  readonly failing?: { readonly since: Date; readonly reason: string }
}

/** Nothing was indexed yet. */
export class NoIndexError extends RemedyError {
  override readonly name = 'NoIndexError'
  constructor() {
    super('Nothing is indexed yet.', 'Run: audition index')
  }
}

/** A ranker that was asked for cannot be had here. The message says why; `remedy` says what to do about it. */
export class RankerError extends RemedyError {
  override readonly name = 'RankerError'
}
