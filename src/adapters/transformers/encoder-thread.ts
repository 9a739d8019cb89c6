import { Worker } from 'node:worker_threads'
import { asSentence } from '../../domain/remedy-error.ts'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import {
  forgetGate,
  nativeGate,
  waitForGateAtExit,
  type FileProgress,
  type Failure,
  type FromWorker,
  type TextBatch,
  type ToWorker,
  type WorkerSettings,
  type WorkerStart,
} from './protocol.ts'

/** What the thread needs from its owner. */
type ThreadOptions = {
  readonly entry: URL
  /** What it computes with, in the words of errors: `embedding model`, `cross-encoder`. */
  readonly what: string
  readonly settings: WorkerSettings
  readonly explain: (failure: Failure) => EmbeddingModelError
  readonly onDownload: (progress: FileProgress) => void
}

type Job = {
  readonly batch: TextBatch
  readonly resolve: (rows: Float32Array) => void
  readonly reject: (reason: unknown) => void
}

/** A started worker; `width` rejects when the model cannot be loaded. */
type Running = {
  readonly worker: Worker
  readonly width: Promise<number>
  readonly ended: Promise<void>
}

/** What is told of a worker that loads its model. */
type Loading = { ready(width: number): void; failed(reason: Error): void; isDone: boolean }

/** Computes batches in a worker thread, one at a time. Starts at need, and again after a crash. */
export class EncoderThread {
  readonly #options: ThreadOptions
  #running: Running | null = null
  #isClosed = false
  #current: Job | null = null
  readonly #urgent: Job[] = []
  readonly #others: Job[] = []

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Starts the thread unless it runs, and tells how many numbers it gives per text. */
  async width(): Promise<number> {
    if (this.#isClosed) throw closedError(this.#options.what)
    this.#running ??= this.#start()
    const found = await this.#running.width
    this.#next()
    return found
  }

  /**
   * @param urgent - whether to go before batches that are not; a batch under way is never interrupted
   * @returns one row per text, row-major
   */
  async compute(batch: TextBatch, urgent: boolean, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted()
    await this.width()
    signal?.throwIfAborted()
    if (this.#isClosed) throw closedError(this.#options.what)
    return await new Promise<Float32Array>((resolve, reject) => {
      const queue = urgent ? this.#urgent : this.#others
      const onAbort = () => {
        const waiting = queue.indexOf(job)
        if (waiting >= 0) queue.splice(waiting, 1)
        job.reject(signal?.reason)
      }
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', onAbort)
          settle(value)
        }
      const job: Job = { batch, resolve: settled(resolve), reject: settled(reject) }
      signal?.addEventListener('abort', onAbort)
      queue.push(job)
      this.#next()
    })
  }

  /** Rejects what waits, lets the load or batch under way end, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#running === null) return
    const { worker, ended } = this.#running
    this.#rejectWaiting(closedError(this.#options.what))
    worker.ref()
    // Never terminate(): ending the thread inside a native call aborts the process.
    worker.postMessage({ kind: 'close' } satisfies ToWorker)
    await ended
  }

  #start(): Running {
    const { entry, settings } = this.#options
    const gate = nativeGate()
    const worker = new Worker(entry, { workerData: { settings, gate } satisfies WorkerStart, execArgv: [] })
    waitForGateAtExit(gate)
    let loading!: Loading
    const width = new Promise<number>((ready, failed) => {
      loading = { ready, failed, isDone: false }
    })
    width.catch(() => {}) // whoever asked has the same promise
    worker.on('message', (message: FromWorker) => this.#onMessage(message, loading))
    let crash: Error | null = null
    worker.on('error', (error) => {
      crash = error
    })
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', (code) => {
        forgetGate(gate)
        this.#onExit(code, crash, loading)
        resolve()
      })
    })
    return { worker, width, ended }
  }

  #onMessage(message: FromWorker, loading: Loading): void {
    const { explain, onDownload } = this.#options
    if (message.kind === 'download') {
      onDownload(message)
      return
    }
    if (message.kind === 'ready') {
      loading.isDone = true
      loading.ready(message.width)
      return
    }
    if (message.kind === 'failed' && message.failure.during !== 'compute') {
      loading.failed(explain(message.failure))
      return
    }
    const job = this.#current
    this.#current = null
    if (message.kind === 'rows') job?.resolve(message.rows)
    else job?.reject(explain(message.failure))
    this.#next()
  }

  #onExit(code: number, crash: Error | null, loading: Loading): void {
    const { what, explain } = this.#options
    this.#running = null
    const stopped =
      crash === null || loading.isDone
        ? stoppedError(what, code, crash)
        : explain({ during: 'load', message: crash.message })
    const reason = this.#isClosed ? closedError(what) : stopped
    loading.failed(reason)
    this.#current?.reject(reason)
    this.#current = null
    this.#rejectWaiting(reason)
  }

  /** Hands the next job to the worker. An idle thread does not keep the process alive, a busy one does. */
  #next(): void {
    if (this.#running === null || this.#current !== null || this.#isClosed) return
    const { worker } = this.#running
    this.#current = this.#urgent.shift() ?? this.#others.shift() ?? null
    if (this.#current === null) {
      worker.unref()
    } else {
      worker.ref()
      worker.postMessage({ kind: 'compute', batch: this.#current.batch } satisfies ToWorker)
    }
  }

  #rejectWaiting(reason: Error): void {
    for (const job of [...this.#urgent.splice(0), ...this.#others.splice(0)]) job.reject(reason)
  }
}

const closedError = (what: string) =>
  new EmbeddingModelError(`The ${what} was closed.`, 'Load the model again to use it.')

const stoppedError = (what: string, code: number, crash: Error | null) =>
  new EmbeddingModelError(
    asSentence(`The thread of the ${what} stopped unexpectedly: ${crash?.message ?? `exit code ${code}`}`),
    'Try again: the next call starts it anew. If it stops again, lower batchSize or maxTokens to use less memory.',
    crash === null ? {} : { cause: crash },
  )
