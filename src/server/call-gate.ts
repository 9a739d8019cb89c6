import type { Audition } from '../compose/audition.ts'

/** Lets so many calls run at once, and so many wait for their turn. */
type CallGate = {
  /**
   * Runs work when it is its turn: first come, first served.
   *
   * @throws BusyError at once when too many wait already; the signal's reason when it aborts in the queue
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** More calls came than are run or kept waiting. The message tells a caller what to do. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/** @param waiting - 0 refuses whatever cannot run at once */
export function callGate({
  running: most,
  waiting,
}: {
  readonly running: number
  readonly waiting: number
}): CallGate {
  let running = 0
  const queue = new Set<() => void>()
  const leave = (): void => {
    const [next] = queue
    if (next === undefined) running -= 1
    else next() // its place goes on to the next one
  }
  return {
    async run(work, signal) {
      if (running < most) running += 1
      else if (queue.size < waiting) await turn(queue, signal)
      else throw new BusyError(`${most + waiting} calls are running or waiting. Call again in a few seconds.`)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function turn(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      queue.delete(start)
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = (): void => {
      queue.delete(start)
      reject(signal.reason)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    queue.add(start)
  })
}

/** The gates of one process. */
type CallGates = {
  /** Searches, cards, resources, completions: they end by themselves within moments. */
  readonly reads: CallGate
  /** Calls that may wait minutes for a job: they hold no place of a read. */
  readonly jobs: CallGate
}

const gates = new WeakMap<Audition, CallGates>()

/** Reads that run at once: enough that no processor waits for a card, which searches read from the store. Searches take turns by themselves. */
const readsAtOnce = 16

/** Every server over one Audition shares its gates: over HTTP there is a server per request. */
export function gatesOf(app: Audition): CallGates {
  const known = gates.get(app) ?? {
    reads: callGate({ running: readsAtOnce, waiting: 2_000 }),
    jobs: callGate({ running: 64, waiting: 0 }),
  }
  gates.set(app, known)
  return known
}
