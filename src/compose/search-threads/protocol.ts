import type { Config } from '../../config.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import type { SharedBytes } from '../../vectors/kernels/dense-scan.ts'
import type { RecordSignal, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import type { RankedCard } from '../../retrieval/rank/ranked-card.ts'
import type { RetrievalSettings } from '../../retrieval/retrieve.ts'
import type { ToWeigh } from '../../retrieval/record/weigh-search.ts'

export type ThreadStart = {
  /** What of the configuration tells the model. */
  readonly config: Pick<Config, 'model' | 'cache' | 'reader'>
}

/** A state of the catalog as threads share it. */
export type SharedCatalog = Pick<CatalogSnapshot, 'generation' | 'embedding'> & {
  readonly images: { readonly [kind in CardKind]: SharedBytes }
}

/** What a search in a thread asks of the thread that owns the store. */
export type Asked =
  | { readonly what: 'cards'; readonly ids: readonly string[] }
  | { readonly what: 'weigh'; readonly found: ToWeigh }

export type Answers = {
  readonly cards: readonly Card[]
  readonly weigh: {
    readonly ranked: readonly RankedCard[]
    /** By document. */
    readonly signals: ReadonlyMap<number, RecordSignal>
  }
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
  /** Whoever asked makes the search itself, and hears what is wrong. */
  | { readonly kind: 'failed'; readonly id: number }
  | { readonly kind: 'ask'; readonly ask: number; readonly id: number; readonly asked: Asked }
