/** A server sent more than any honest list of tools needs. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
  /** Whether the limit of bytes was passed, a limit of the machine, or something else shows that there is no honest server. */
  readonly kind: 'bytes' | 'usage' | 'nonsense'
  constructor(message: string, kind: FloodError['kind'] = 'nonsense') {
    super(message)
    this.kind = kind
  }
}

/** Counts what a server sends, and gives up on it. Both ways out throw {@link FloodError}. */
export type Meter = {
  /** @throws FloodError when the sum passes the limit */
  add(bytes: number): void
  /** @throws FloodError always */
  refuse(why: string, kind?: FloodError['kind']): never
}

/**
 * Counts bytes up to a limit.
 *
 * @param onFlood - told as well, since transports swallow errors thrown while they read
 * @param onAdd - told the sum
 */
export function byteMeter(
  maxBytes: number,
  onFlood: (error: FloodError) => void,
  onAdd: (total: number) => void = () => {},
): Meter {
  let total = 0
  const giveUp = (error: FloodError): never => {
    onFlood(error)
    throw error
  }
  return {
    add(bytes) {
      total += bytes
      onAdd(total)
      if (total <= maxBytes) return
      giveUp(new FloodError(`it sent more than ${maxBytes.toLocaleString('en')} bytes`, 'bytes'))
    },
    refuse: (why, kind) => giveUp(new FloodError(why, kind)),
  }
}
