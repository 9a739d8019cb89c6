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
  /** The model that made the stored vectors, and the one that is configured; null where there is none. */
  readonly storedModel: string | null
  readonly configuredModel: string | null
  /** Why the configured model cannot be opened; {@link configuredModel} is what was configured then. */
  readonly modelFault?: { readonly message: string; readonly remedy: string }
}

/**
 * Whether a store keeps the commits of several writers apart: needless to ask of a folder, which has a lock; tried at an address, with
 * what was seen when its server ignores the condition of a put, or why it could not be tried.
 */
export type ConditionalPuts =
  | { readonly outcome: 'needless' | 'honoured' }
  | { readonly outcome: 'ignored' | 'failed'; readonly detail: string; readonly remedy: string }
