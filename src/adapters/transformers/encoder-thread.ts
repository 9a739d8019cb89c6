import { Worker } from 'node:worker_threads'
import { EmbeddingModelError } from '../../retrieval/embedding-model-error.ts'
import { forgetGate, nativeGate, waitForGateAtExit } from './native-gate.ts'
import type {
  DownloadProgress,
  Failure,
  FromWorker,
  ToWorker,
  WorkerSettings,
  WorkerStart,
} from './protocol.ts'

/** What the thread needs from its owner. */
export type ThreadOptions = {
  readonly entry: URL
  readonly settings: WorkerSettings
  readonly explain: (failure: Failure) => EmbeddingModelError
  readonly onDownload: (progress: DownloadProgress) => void
}

/** Computes batches in a worker thread, one at a time. Starts at need, and again after a crash. */
export type EncoderThread = {
  /** Starts the thread unless it runs, and gives the length of its vectors. */
  dimensions(): Promise<number>
  /**
   * @param urgent - whether to go before batches that are not; a batch under way is never interrupted
   * @returns one row of length 1 per text, row-major
   */
  encode(texts: readonly string[], urgent: boolean, signal?: AbortSignal): Promise<Float32Array>
  /** Rejects what waits, lets the load or batch under way end, and ends the thread. */
  close(): Promise<void>
}

type Job = {
  readonly texts: readonly string[]
  readonly resolve: (rows: Float32Array) => void
  readonly reject: (reason: unknown) => void
}

/** A started worker; `dimensions` rejects when the model cannot be loaded. */
type Running = {
  readonly worker: Worker
  readonly dimensions: Promise<number>
  readonly ended: Promise<void>
}

export function encoderThread({ entry, settings, explain, onDownload }: ThreadOptions): EncoderThread {
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
    let ready: (dimensions: number) => void
    let failed: (reason: Error) => void
    const dimensions = new Promise<number>((resolve, reject) => {
      ready = resolve
      failed = reject
    })
    dimensions.catch(() => {}) // whoever asked has the same promise
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'download') return onDownload(message)
      if (message.kind === 'ready') {
        loaded = true
        return ready(message.dimensions)
      }
      if (message.kind === 'failed' && message.failure.during !== 'embed')
        return failed(explain(message.failure))
      const job = current
      current = null
      if (message.kind === 'vectors') job?.resolve(message.rows)
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
            ? stoppedError(code, crash)
            : explain({ during: 'load', message: crash.message })
        const reason = closed ? closedError() : stopped
        failed(reason)
        current?.reject(reason)
        current = null
        rejectWaiting(reason)
        resolve()
      })
    })
    return { worker, dimensions, ended }
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
      worker.postMessage({ kind: 'embed', texts: current.texts } satisfies ToWorker)
    }
  }

  function rejectWaiting(reason: Error): void {
    for (const job of [...urgentJobs.splice(0), ...otherJobs.splice(0)]) job.reject(reason)
  }

  async function dimensions(): Promise<number> {
    if (closed) throw closedError()
    running ??= start()
    const found = await running.dimensions
    next()
    return found
  }

  return {
    dimensions,
    async encode(texts, urgent, signal) {
      signal?.throwIfAborted()
      await dimensions()
      signal?.throwIfAborted()
      if (closed) throw closedError()
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
        const job: Job = { texts, resolve: settled(resolve), reject: settled(reject) }
        signal?.addEventListener('abort', onAbort)
        queue.push(job)
        next()
      })
    },
    async close() {
      closed = true
      if (running === null) return
      const { worker, ended } = running
      rejectWaiting(closedError())
      worker.ref()
      // Never terminate(): ending the thread inside a native call aborts the process.
      worker.postMessage({ kind: 'close' } satisfies ToWorker)
      await ended
    },
  }
}

const closedError = () =>
  new EmbeddingModelError('The embedding model was closed.', 'Load the model again to use it.')

const stoppedError = (code: number, crash: Error | null) =>
  new EmbeddingModelError(
    `The thread of the embedding model stopped unexpectedly: ${crash?.message ?? `exit code ${code}`}.`,
    'Try again: the next call starts it anew. If it stops again, lower batchSize or maxTokens to use less memory.',
    crash === null ? {} : { cause: crash },
  )
