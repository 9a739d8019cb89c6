import type { Pooling } from './files/families.ts'
import type { ModelSource } from './files/find-model.ts'
import type { NativeGate } from './native-gate.ts'
import type { ModelOptions } from './files/options.ts'

/** What is made of the model's outputs: a unit vector per text, or one relevance (a logit) per document. */
export type Head = { readonly kind: 'embedding'; readonly pooling: Pooling } | { readonly kind: 'relevance' }

/** What the worker thread is started with. */
export type WorkerSettings = {
  /** URL of the transformers.js module, resolved by the main thread. */
  readonly packageUrl: string
  readonly source: ModelSource
  readonly head: Head
} & Pick<ModelOptions, 'dtype' | 'maxTokens' | 'threads'>

/** The settings, with what each start of the thread has of its own. */
export type WorkerStart = { readonly settings: WorkerSettings; readonly gate: NativeGate }

/** Texts that are computed together; a cross-encoder reads each of them beside the query. */
export type TextBatch = { readonly texts: readonly string[]; readonly query?: string }

/** Main thread to worker. The next `compute` comes after the answer to the one before. */
export type ToWorker = { readonly kind: 'compute'; readonly batch: TextBatch } | { readonly kind: 'close' }

/** Worker to main thread: once `ready` or `failed`, then one `rows` or `failed` per `compute`. */
export type FromWorker =
  /** Numbers per text: the dimensions of an embedding, 1 of a relevance. */
  | { readonly kind: 'ready'; readonly width: number }
  /** Texts x width, row-major. */
  | { readonly kind: 'rows'; readonly rows: Float32Array }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | ({ readonly kind: 'download' } & DownloadProgress)

/** What went wrong in the worker, as data: errors lose their class on the way between threads. */
export type Failure = {
  readonly during: 'import' | 'load' | 'compute'
  readonly message: string
  readonly remedy?: string
  /** HTTP status of the hub's answer, when there was one. */
  readonly status?: number
}

/** How far one file has come. */
export type DownloadProgress = {
  readonly file: string
  readonly loadedBytes: number
  /** 0 when the server did not say. */
  readonly totalBytes: number
}
