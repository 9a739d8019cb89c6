/** A server sent more than any honest list of tools needs. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
}

/** Counts what a server sends, and gives up on it. Both ways out throw {@link FloodError}. */
export type Meter = {
  /** @throws FloodError when the sum passes the limit */
  add(bytes: number): void
  /** @throws FloodError always */
  refuse(why: string): never
  /** Bytes so far. */
  total(): number
}

/**
 * Counts bytes up to a limit.
 *
 * @param onFlood - told as well, since transports swallow errors thrown while they read
 */
export function byteMeter(maxBytes: number, onFlood: (error: FloodError) => void): Meter {
  let total = 0
  const refuse = (why: string): never => {
    const error = new FloodError(why)
    onFlood(error)
    throw error
  }
  return {
    add(bytes) {
      total += bytes
      if (total > maxBytes) refuse(`it sent more than ${maxBytes.toLocaleString('en')} bytes`)
    },
    refuse,
    total: () => total,
  }
}
