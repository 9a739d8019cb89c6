import type { Pooling, ModelOptions } from './files/options.ts'
import type { ModelSource } from './files/find-model.ts'

/** What is made of the model's outputs: a unit vector per text, or one relevance (a logit) per document. */
export type ModelHead =
  | { readonly kind: 'embedding'; readonly pooling: Pooling }
  | { readonly kind: 'relevance'; readonly task?: string }

/** What the worker thread is started with. */
export type WorkerSettings = {
  /** URL of the transformers.js module, resolved by the main thread. */
  readonly packageUrl: string
  readonly source: ModelSource
  readonly head: ModelHead
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
  | ({ readonly kind: 'download' } & FileProgress)

/** What went wrong in the worker, as data: errors lose their class on the way between threads. */
export type Failure = {
  readonly during: 'import' | 'load' | 'compute'
  readonly message: string
  readonly remedy?: string
  /** HTTP status of the hub's answer, when there was one. */
  readonly status?: number
}

/** How far one file has come. */
export type FileProgress = {
  readonly file: string
  readonly loadedBytes: number
  /** 0 when the server did not say. */
  readonly totalBytes: number
}

/**
 * Keeps a process from ending while a thread of it is in ONNX Runtime: Node ends its threads at exit, and a native
 * call that is cut short aborts the whole process with exit code 134. The thread marks its native work in shared
 * memory, and at exit the process lets the work under way end, and no more begin.
 */
export type NativeGate = Int32Array<SharedArrayBuffer>

const busy = 0
const stopping = 1
/** A download cannot be waited for; it may be cut short safely. */
const longestWaitMs = 3000

const atExit = new Set<NativeGate>()

export const nativeGate = (): NativeGate => new Int32Array(new SharedArrayBuffer(8))

/** In the thread: does native work, or waits for ever when the process is about to end. */
export async function passGate<T>(gate: NativeGate, work: () => Promise<T>): Promise<T> {
  Atomics.store(gate, busy, 1)
  if (Atomics.load(gate, stopping) === 1) {
    leave(gate)
    return await new Promise<never>(() => {})
  }
  try {
    return await work()
  } finally {
    leave(gate)
  }
}

function leave(gate: NativeGate): void {
  Atomics.store(gate, busy, 0)
  Atomics.notify(gate, busy)
}

/** In the main thread: from now on the end of the process waits for this gate. */
export function waitForGateAtExit(gate: NativeGate): void {
  if (atExit.size === 0) process.on('exit', closeAll)
  atExit.add(gate)
}

/** In the main thread: the thread has ended. */
export function forgetGate(gate: NativeGate): void {
  atExit.delete(gate)
  if (atExit.size === 0) process.off('exit', closeAll)
}

function closeAll(): void {
  for (const gate of atExit) Atomics.store(gate, stopping, 1)
  for (const gate of atExit) Atomics.wait(gate, busy, 1, longestWaitMs)
}
