/** A server sent more than any honest list of tools needs. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
}

/** Counts what a server sends. */
export type Meter = {
  /** @throws FloodError when the sum passes the limit; `onFlood` is told as well */
  add(bytes: number): void
}

/**
 * Counts bytes up to a limit.
 *
 * @param onFlood - told once; transports swallow errors thrown while they read
 */
export function byteMeter(maxBytes: number, onFlood: (error: FloodError) => void): Meter {
  let total = 0
  return {
    add(bytes) {
      const isFirst = total <= maxBytes
      total += bytes
      if (total <= maxBytes) return
      const error = new FloodError(`it sent more than ${maxBytes.toLocaleString('en')} bytes`)
      if (isFirst) onFlood(error)
      throw error
    },
  }
}
