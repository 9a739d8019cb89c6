import type { Card } from '../domain/card.ts'
import type { ModelList } from '../domain/model-card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { countOf } from '../domain/text/count-of.ts'
import type { SourceReview } from './source-review.ts'
import type { SourceState } from './source-state.ts'

/** All that one index run changes; committed as a whole or not at all. */
export type CatalogChange = {
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  /** States to write; a source that is not named keeps its own. */
  readonly sources: readonly SourceState[]
  readonly removeSources: readonly string[]
  /** What sources say of language models, in place of what they said. */
  readonly models?: readonly { readonly source: string; readonly list: ModelList }[]
  /** Reviews to write; one that is not named stays. */
  readonly reviews?: readonly SourceReview[]
  /** Keys of reviews to forget. */
  readonly removeReviews?: readonly string[]
}

/** What the index plan needs of the store: its present contents by hash, and one atomic commit. */
export type CatalogWriter = {
  /** Whether the store was ever committed, with the vectors of the configured model: else an empty commit is due. */
  isCurrent(): Promise<boolean>
  sources(): Promise<readonly SourceState[]>
  /** Card id to content hash, of one source. */
  hashes(source: string): Promise<ReadonlyMap<string, string>>
  /** Ids and sources of all cards. */
  ids(): Promise<readonly { readonly id: string; readonly source: string }[]>
  /** Cards by id, in no order; an unknown id is left out. */
  cards(ids: readonly string[]): Promise<readonly Card[]>
  /** What is held, and what the user decided, by source. */
  reviews(): Promise<readonly SourceReview[]>
  /** What a commit would send to a service that embeds; null where nothing is sent. Absent: never anything. */
  sending?(change: CatalogChange): Promise<Sending | null>
  /** Somebody agreed to that. */
  agree?(sending: Sending): void
  /**
   * Readers see the old catalog until this resolves and the new one from then on.
   *
   * @param onProgress - called with the share done, 0..1
   */
  commit(
    change: CatalogChange,
    onProgress?: (share: number, step: string) => void,
    signal?: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/** What is sent of cards to a service that others run. */
export type Sending = {
  /** To have vectors of them, or to have written what they leave out. */
  readonly purpose: 'embedding' | 'enriching'
  readonly host: string
  readonly model: string
  /** Texts of cards, without those whose answers are kept. */
  readonly texts: number
  /** About so many: models count differently. */
  readonly tokens: number
  /** US dollars, where the settings state the model's price. */
  readonly cost?: number
  /** Whether it may be sent: somebody agreed, or it is little. */
  readonly isAgreed: boolean
}

/** Texts would be sent to a service that others run, and nobody agreed to that. Nothing was sent. */
export class NotAgreedError extends RemedyError {
  override readonly name = 'NotAgreedError'
  /** It is about cards, unless `texts` is absent or 0. */
  constructor({ purpose, host, texts }: Pick<Sending, 'purpose' | 'host'> & { readonly texts?: number }) {
    super(
      texts === undefined || texts === 0
        ? `Nobody agreed yet that texts are sent to ${host}.`
        : `${countOf(texts, 'text')} of cards would be sent to ${host}, and nobody agreed to that.`,
      `Run \`audition index\`, which shows what it would send and asks (--yes agrees)${purpose === 'embedding' ? ', or raise unasked in AUDITION_MODEL' : ''}.`,
    )
  }
}

/**
 * Other writers came first: what was planned no longer fits the store. Nothing was changed; whoever planned it reads the store and plans
 * again.
 */
export class OvertakenError extends RemedyError {
  override readonly name = 'OvertakenError'
  /** @param others - what others did, as the end of a sentence that begins with them */
  constructor(others: string) {
    super(
      `Nothing was stored: other processes that write this store ${others}.`,
      'Run it again when the others are done.',
    )
  }
}
