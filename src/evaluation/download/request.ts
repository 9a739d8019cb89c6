import { setTimeout as sleep } from 'node:timers/promises'
import { DatasetError } from '../dataset.ts'
import type { DownloadOptions } from './download-options.ts'

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

/**
 * Sends a GET request and gives the answer to `use`, under a timeout for silence that starts anew with every call of
 * the alarm's `heard`.
 *
 * @throws PassingFailure when the server cannot be reached, breaks off, is silent too long or says to come again
 * @throws DatasetError when it refuses
 */
export async function get<T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  options: DownloadOptions,
  use: (response: Response, heard: () => void) => Promise<T>,
): Promise<T> {
  const idleTimeoutMs = options.idleTimeoutMs ?? 60_000
  const silence = new AbortController()
  let alarm = setTimeout(() => silence.abort(), idleTimeoutMs)
  const heard = () => {
    clearTimeout(alarm)
    alarm = setTimeout(() => silence.abort(), idleTimeoutMs)
  }
  const signal = options.signal ? AbortSignal.any([options.signal, silence.signal]) : silence.signal
  let response: Response | undefined
  try {
    response = await (options.fetch ?? fetch)(url, {
      // Packed answers would make lengths and ranges those of the packed bytes.
      headers: { 'accept-encoding': 'identity', 'user-agent': 'audition-mcp', ...headers },
      signal,
    })
    heard()
    return await use(response, heard)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (silence.signal.aborted) throw new PassingFailure(silent(url, idleTimeoutMs))
    if (error instanceof DatasetError || error instanceof PassingFailure || !(error instanceof TypeError))
      throw error
    throw new PassingFailure(unreachable(url, error))
  } finally {
    clearTimeout(alarm)
    // An answer that nobody reads would hold its connection.
    if (response?.body?.locked === false) await response.body.cancel().catch(() => {})
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

const silent = (url: string, idleTimeoutMs: number): DatasetError =>
  new DatasetError(
    `${new URL(url).host} was silent for ${idleTimeoutMs / 1000} seconds.`,
    'Try again later; what is already here is kept.',
  )
