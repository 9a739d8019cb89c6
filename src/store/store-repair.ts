import type { SourceState } from './source-state.ts'

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
