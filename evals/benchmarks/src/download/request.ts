import { setTimeout as sleep } from 'node:timers/promises'
import { boundsOf } from '../../../../src/domain/bounds.ts'
import { RemedyError } from '../../../../src/domain/remedy-error.ts'
import { DatasetError, type DownloadOptions } from '../../../../src/evaluation/datasets/dataset.ts'

/** Attempts of one request or file, the first included. */
const attempts = 4

/** A request failed in a way that may pass: trying again makes sense. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure'
  /** For people, when no attempt is left. */
  readonly error: DatasetError
  constructor(error: DatasetError) {
    super(error.message, { cause: error })
    this.error = error
  }
}

/**
 * Tries something up to four times, waiting longer each time, for as long as it fails with a {@link PassingFailure}.
 *
 * @throws DatasetError of the last attempt; whatever else was thrown, at once; the signal's reason when it is aborted
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: DownloadOptions): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      options.signal?.throwIfAborted()
      return await attempt()
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof PassingFailure)) throw error
      if (count === attempts) throw error.error
      const patience = (options.retryDelayMs ?? 1000) * 2 ** (count - 1)
      await sleep(patience, undefined, options.signal ? { signal: options.signal } : {}).catch(() => {})
    }
  }
}

/** What the reader of an answer has at hand. */
type Answered = {
  readonly response: Response
  /** The body in pieces. Ends with an error when the download is stopped or the server is silent too long. */
  pieces(): AsyncGenerator<Uint8Array>
}

/**
 * Sends a GET request and gives the answer to `use`. The server may be silent for so long, before the answer and
 * between two pieces of it.
 *
 * @throws PassingFailure when the server cannot be reached, breaks off, is silent too long or says to come again
 * @throws DatasetError when it refuses; the signal's reason when the download is stopped
 */
export async function get<T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  options: DownloadOptions,
  use: (answered: Answered) => Promise<T>,
): Promise<T> {
  const idleTimeoutMs = options.idleTimeoutMs ?? 60_000
  const bounds = boundsOf({ callers: [options.signal], seconds: idleTimeoutMs / 1_000 })
  let body: ReadableStream<Uint8Array> | null = null
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const reader = body!.getReader()
    try {
      for (;;) {
        const { done, value } = await bounds.orStopped(reader.read())
        if (done) return
        bounds.restart()
        yield value
      }
    } finally {
      reader.releaseLock()
    }
  }
  try {
    options.signal?.throwIfAborted()
    const response = await bounds.orStopped(
      options.fetch(url, {
        // Packed answers would make lengths and ranges those of the packed bytes.
        headers: { 'accept-encoding': 'identity', 'user-agent': 'audition-mcp', ...headers },
        signal: bounds.signal,
      }),
    )
    bounds.restart()
    body = response.body
    return await use({ response, pieces })
  } catch (error) {
    if (bounds.stoppedBy() === 'time') throw new PassingFailure(silent(url, idleTimeoutMs))
    bounds.signal.throwIfAborted()
    if (error instanceof TypeError) throw new PassingFailure(unreachable(url, error))
    throw refusedAddress(error) ?? error
  } finally {
    bounds.release()
    // An answer that nobody reads to its end would hold its connection.
    await body?.cancel().catch(() => {})
  }
}

/** The error for an answer that is no success; a {@link PassingFailure} when the server may do better later. */
export function refusal(url: string, status: number): Error {
  const where = new URL(url)
  if (status === 404 || status === 410) {
    return new DatasetError(
      `${where.host} has no ${where.pathname} (${status}).`,
      'The benchmark may have moved: download it by hand and give its folder.',
    )
  }
  if (status === 401 || status === 403) {
    return new DatasetError(
      `${where.host} does not give ${where.pathname} to everybody (${status}).`,
      'Ask for access there, download it by hand and give its folder.',
    )
  }
  const error = new DatasetError(
    `${where.host} answered ${status} for ${where.pathname}.`,
    'Try again later; what is already here is kept.',
  )
  return status === 408 || status === 429 || status >= 500 ? new PassingFailure(error) : error
}

const unreachable = (url: string, error: TypeError): DatasetError => {
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
  return new DatasetError(
    `${new URL(url).host} cannot be reached (${code}).`,
    'Check the connection; what is already here is kept. Offline, give a folder that was downloaded elsewhere.',
    { cause: error },
  )
}

/** The guard of the network marks its refusals by their code, and says what to do. */
function refusedAddress(error: unknown): DatasetError | undefined {
  if (!RemedyError.isInstance(error) || !('code' in error) || error.code !== 'ERR_REQUEST_REFUSED')
    return undefined
  return new DatasetError(error.message, error.remedy, { cause: error })
}

const silent = (url: string, idleTimeoutMs: number): DatasetError =>
  new DatasetError(
    `${new URL(url).host} was silent for ${idleTimeoutMs / 1000} seconds.`,
    'Try again later; what is already here is kept.',
  )
