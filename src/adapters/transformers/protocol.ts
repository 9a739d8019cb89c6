import type { ModelSource } from './find-model.ts'
import type { NativeGate } from './native-gate.ts'
import type { TransformersOptions } from './options.ts'

/** What the worker thread is started with. */
export type WorkerSettings = {
  /** URL of the transformers.js module, resolved by the main thread. */
  readonly packageUrl: string
  readonly source: ModelSource
} & Pick<TransformersOptions, 'dtype' | 'pooling' | 'maxTokens' | 'threads'>

/** The settings, with what each start of the thread has of its own. */
export type WorkerStart = { readonly settings: WorkerSettings; readonly gate: NativeGate }

/** Main thread to worker. The next `embed` comes after the answer to the one before. */
export type ToWorker =
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly kind: 'close' }

/** Worker to main thread: once `ready` or `failed`, then one `vectors` or `failed` per `embed`. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly dimensions: number }
  /** Texts x dimensions, row-major, each row of length 1. */
  | { readonly kind: 'vectors'; readonly rows: Float32Array }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | ({ readonly kind: 'download' } & DownloadProgress)

/** What went wrong in the worker, as data: errors lose their class on the way between threads. */
export type Failure = {
  readonly during: 'import' | 'load' | 'embed'
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
