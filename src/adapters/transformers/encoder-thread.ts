import { Worker } from 'node:worker_threads'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import {
  forgetGate,
  nativeGate,
  waitForGateAtExit,
  type DownloadProgress,
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
  readonly onDownload: (progress: DownloadProgress) => void
}

/** Computes batches in a worker thread, one at a time. Starts at need, and again after a crash. */
export type EncoderThread = {
  /** Starts the thread unless it runs, and tells how many numbers it gives per text. */
  width(): Promise<number>
  /**
   * @param urgent - whether to go before batches that are not; a batch under way is never interrupted
   * @returns one row per text, row-major
   */
  compute(batch: TextBatch, urgent: boolean, signal?: AbortSignal): Promise<Float32Array>
  /** Rejects what waits, lets the load or batch under way end, and ends the thread. */
  close(): Promise<void>
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

export function encoderThread({ entry, what, settings, explain, onDownload }: ThreadOptions): EncoderThread {
  let running: Running | null = null
  let closed = false
  let current: Job | null = null
  const urgentJobs: Job[] = []
  const otherJobs: Job[] = []

  function start(): Running {
    const gate = nativeGate()
    const worker = new Worker(entry, { workerData: { settings, gate } satisfies WorkerStart, execArgv: [] })
    waitForGateAtExit(gate)
    let crash: Error | null = null
    let loaded = false
    let ready: (width: number) => void
    let failed: (reason: Error) => void
    const width = new Promise<number>((resolve, reject) => {
      ready = resolve
      failed = reject
    })
    width.catch(() => {}) // whoever asked has the same promise
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'download') return onDownload(message)
      if (message.kind === 'ready') {
        loaded = true
        return ready(message.width)
      }
      if (message.kind === 'failed' && message.failure.during !== 'compute')
        return failed(explain(message.failure))
      const job = current
      current = null
      if (message.kind === 'rows') job?.resolve(message.rows)
      else job?.reject(explain(message.failure))
      next()
    })
    worker.on('error', (error) => {
      crash = error
    })
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', (code) => {
        forgetGate(gate)
        running = null
        const stopped =
          crash === null || loaded
            ? stoppedError(what, code, crash)
            : explain({ during: 'load', message: crash.message })
        const reason = closed ? closedError(what) : stopped
        failed(reason)
        current?.reject(reason)
        current = null
        rejectWaiting(reason)
        resolve()
      })
    })
    return { worker, width, ended }
  }

  /** Hands the next job to the worker. An idle thread does not keep the process alive, a busy one does. */
  function next(): void {
    if (running === null || current !== null || closed) return
    const { worker } = running
    current = urgentJobs.shift() ?? otherJobs.shift() ?? null
    if (current === null) {
      worker.unref()
    } else {
      worker.ref()
      worker.postMessage({ kind: 'compute', batch: current.batch } satisfies ToWorker)
    }
  }

  function rejectWaiting(reason: Error): void {
    for (const job of [...urgentJobs.splice(0), ...otherJobs.splice(0)]) job.reject(reason)
  }

  async function width(): Promise<number> {
    if (closed) throw closedError(what)
    running ??= start()
    const found = await running.width
    next()
    return found
  }

  return {
    width,
    async compute(batch, urgent, signal) {
      signal?.throwIfAborted()
      await width()
      signal?.throwIfAborted()
      if (closed) throw closedError(what)
      return await new Promise<Float32Array>((resolve, reject) => {
        const queue = urgent ? urgentJobs : otherJobs
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
        next()
      })
    },
    async close() {
      closed = true
      if (running === null) return
      const { worker, ended } = running
      rejectWaiting(closedError(what))
      worker.ref()
      // Never terminate(): ending the thread inside a native call aborts the process.
      worker.postMessage({ kind: 'close' } satisfies ToWorker)
      await ended
    },
  }
}

const closedError = (what: string) =>
  new EmbeddingModelError(`The ${what} was closed.`, 'Load the model again to use it.')

const stoppedError = (what: string, code: number, crash: Error | null) =>
  new EmbeddingModelError(
    `The thread of the ${what} stopped unexpectedly: ${crash?.message ?? `exit code ${code}`}.`,
    'Try again: the next call starts it anew. If it stops again, lower batchSize or maxTokens to use less memory.',
    crash === null ? {} : { cause: crash },
  )
