import type { CardKind } from '../domain/card.ts'
import type { SourceState } from './source-state.ts'

/** Kinds of cards of which there are more than a model reads, and how many it reads at most. */
export type TooManyToRead = { readonly kinds: readonly CardKind[]; readonly mostCards: number }

/** Indexes that an engine has of a kind of cards. */
export type EngineIndexes = {
  readonly kind: CardKind
  /** `left`: rows that are not in it yet and are looked at one by one; null where the engine does not tell. */
  readonly made: readonly { readonly column: string; readonly type: string; readonly left: number | null }[]
  /** Columns that should have one. */
  readonly missing: readonly string[]
}

/** The state of the store, for `doctor`. */
export type StoreDiagnosis = {
  /** Folder or URL of the store. */
  readonly location: string
  readonly state: 'absent' | 'ready' | 'unreadable'
  /** What is wrong when the state is `unreadable`. */
  readonly detail?: string
  readonly generation: number
  readonly tools: number
  readonly agents: number
  /** Bytes on disk, when the store is local. */
  readonly bytes?: number
  /** Of a store in an engine. */
  readonly indexes?: readonly EngineIndexes[]
  /** The model that made the stored vectors, and the one that is configured; null where there is none. */
  readonly storedModel: string | null
  readonly configuredModel: string | null
  /** The configured model is a service, and nobody agreed yet to send it anything. */
  readonly isUnasked?: true
  /** Absent where all cards are read, and without a reader. */
  readonly tooManyToRead?: TooManyToRead
  /** Why the configured model cannot be opened; {@link configuredModel} is what was configured then. */
  readonly modelFault?: { readonly message: string; readonly remedy: string }
}

/**
 * Whether a store keeps the commits of several writers apart: needless to ask of a folder, which has a lock; tried at an address, with
 * what was seen when its server ignores the condition of a put, or why it could not be tried.
 */
export type ConditionalPuts =
  | { readonly outcome: 'needless' }
  | ({ readonly condition: WriteCondition } & (
      | { readonly outcome: 'honoured' }
      | { readonly outcome: 'ignored' | 'failed'; readonly detail: string; readonly remedy: string }
    ))

/** What is conditional: of object storage a put, of an engine an update. */
export type WriteCondition = 'conditional puts (If-None-Match)' | 'conditional updates (merge_insert)'

/** One thing that is wrong with a store, and what becomes of it. */
export type RepairStep = {
  /**
   * `mend`: damage that is put right, or would be; `tidy`: what a killed process left, which does no harm; `lost`: it cannot be
   * brought back from here; `remains`: it stays as it is.
   */
  readonly kind: 'mend' | 'tidy' | 'lost' | 'remains'
  /** What is wrong, and what is done about it. */
  readonly message: string
  /** What a person can do. */
  readonly remedy?: string
}

/**
 * How a store is looked through and mended. Every card is read, and the search images are made anew to compare them: that takes about as
 * long as to index what is there without embedding it.
 */
export type RepairOptions = {
  /** `look` changes nothing and tells what `mend` would do. */
  readonly intent: 'look' | 'mend'
  readonly signal?: AbortSignal
}

/** What was found wrong with a store, and done. */
export type StoreRepair = {
  /** In the order things were found; empty when all is well. */
  readonly steps: readonly RepairStep[]
  /** The folder that damaged files were moved to; null when none were. */
  readonly damagedFolder: string | null
  /** Sources of which cards are gone: to be read again. */
  readonly toReadAgain: readonly SourceState[]
}
