import type { Config } from '../../config.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import type { RecordSignal, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { SharedIndex } from '../../retrieval/index/catalog-image.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import type { RankedCard } from '../../retrieval/rank/ranked-card.ts'
import type { ToWeigh } from '../../retrieval/record/weigh-search.ts'
import type { RetrievalSettings } from '../../retrieval/search/retrieve.ts'
import type { SharedBytes } from '../../vectors/kernels/web-assembly.ts'

export type ThreadStart = {
  /** What of the configuration tells the model. */
  readonly config: Pick<Config, 'model' | 'cache' | 'reader'>
}

/** A state of the catalog as threads share it. */
export type SharedCatalog = Pick<CatalogSnapshot, 'generation' | 'embedding'> & {
  readonly images: { readonly [kind in CardKind]: SharedIndex }
}

/** What a search in a thread asks of the thread that owns the store. */
export type Asked =
  | { readonly what: 'weigh'; readonly found: ToWeigh }
  /** The bytes of a file of the model. */
  | { readonly what: 'weights'; readonly file: string }

export type Answers = {
  readonly weigh: {
    readonly ranked: readonly RankedCard[]
    /** By document. */
    readonly signals: ReadonlyMap<number, RecordSignal>
  }
  readonly weights: SharedBytes
}

export type ToThread =
  /** Holds for the searches that follow. */
  | { readonly kind: 'catalog'; readonly catalog: SharedCatalog }
  | {
      readonly kind: 'search'
      readonly id: number
      readonly request: SearchRequest
      readonly settings: RetrievalSettings | undefined
      readonly byWords: boolean
      readonly hasRecord: boolean
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'reply'; readonly ask: number; readonly value: Answers[keyof Answers] | null }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SearchAnswer }
  /** The search is made where the store is, which hears what is wrong. */
  | { readonly kind: 'failed'; readonly id: number }
  | { readonly kind: 'ask'; readonly ask: number; readonly id: number; readonly asked: Asked }

/** What a search takes for the cards where the store is not read: it needs no more than their ids. */
export const idsAlone: CatalogSnapshot['cards'] = async (ids) => ids.map((id) => ({ id }) as Card)
