import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type Bounds, boundsOf } from '../../domain/bounds.ts'
import { answerTo, type ScanAnswer, type ScanWork } from './scan-work.ts'

/** What is shorter, a card as JSON, needs no deadline: no text of this length can take long unless something is wrong with us. */
export const largeCard = 20_000

/** Milliseconds a thread has for what it is sent, and more for each of its characters: ten times what a slow machine needs. */
type Deadline = {
  readonly base: number
  readonly perCharacter: number
  /** Milliseconds that this process was at work, its threads among it. @defaultValue as the system counts them */
  readonly worked?: () => number
}

const deadline: Deadline = { base: 10_000, perCharacter: 0.02 }

/**
 * A thread that gets no processor is not late: the time has to have passed, and the process has to have worked as long. So many times the
 * deadline nobody waits, whatever was worked.
 */
const lastResort = 20

const workedByNow = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** What was not looked through to its end, and why not: `within 10 s of processor time`, `to the end`. */
export type Unscanned = { readonly unscanned: string }

export type ScanThread = {
  /**
   * Looks through texts, or gives them up when they take too long.
   *
   * @param length - characters of all texts
   */
  scan<Work extends ScanWork>(
    work: Work,
    length: number,
    signal: AbortSignal,
  ): Promise<ScanAnswer<Work> | Unscanned>
  close(): Promise<void>
}

/** Beside this file, where it is compiled; sources that run as they are have none, and are scanned where they run. */
export const compiledEntry = new URL('./scan-worker.js', import.meta.url)

/** @param entry - a module that answers what it is sent as `answerTo` does */
export function scanThread(
  entry: URL = compiledEntry,
  { base, perCharacter, worked = workedByNow } = deadline,
): ScanThread {
  let worker: Worker | null = null
  const isAbsent = entry.protocol === 'file:' && !existsSync(entry)
  return {
    async scan<Work extends ScanWork>(work: Work, length: number, signal: AbortSignal) {
      if (isAbsent) return answerTo(work)
      const limit = base + length * perCharacter
      worker ??= opened(entry)
      const own = worker
      const bounds = boundsOf({ callers: [signal] })
      const letGo = onceWorked(limit, worked, () => bounds.stopAtLimit('its processor time is spent'))
      const answer = await answerOf(own, work, bounds)
      letGo()
      if (answer.kind === 'found') return answer.found as ScanAnswer<Work>
      worker = null
      await own.terminate()
      signal.throwIfAborted()
      return {
        unscanned:
          answer.kind === 'late' ? `within ${Math.round(limit / 1_000)} s of processor time` : 'to the end',
      }
    },
    close: async () => void (await worker?.terminate()),
  }
}

/** @returns what lets go of the clock */
function onceWorked(limit: number, worked: () => number, does: () => void): () => void {
  const [start, before] = [performance.now(), worked()]
  let timer: NodeJS.Timeout
  const look = (): void => {
    const left = Math.min(limit - (worked() - before), start + lastResort * limit - performance.now())
    if (left > 0) timer = setTimeout(look, Math.max(left, 50))
    // Work of this thread may have kept an answer from being heard: it comes before what is set for after it.
    else setImmediate(() => setImmediate(does))
  }
  timer = setTimeout(look, limit)
  return () => clearTimeout(timer)
}

/** A thread whose end is told to whom it owes an answer, and to nobody else. */
const opened = (entry: URL): Worker => new Worker(entry, { execArgv: [] }).on('error', () => undefined)

type Answer = { readonly kind: 'found'; readonly found: unknown } | { readonly kind: 'late' | 'ended' }

function answerOf(worker: Worker, work: ScanWork, { onStop, stoppedBy, release }: Bounds): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer): void => {
      release()
      worker.off('message', take).off('error', stop).off('exit', stop)
      resolve(answer)
    }
    const stop = (): void => end({ kind: stoppedBy() === 'budget' ? 'late' : 'ended' })
    const take = (found: unknown): void => end({ kind: 'found', found })
    // Each by its name: a worker's own listeners are among all that it has, and without them it takes no second message.
    worker.on('message', take).on('error', stop).on('exit', stop)
    worker.postMessage(work)
    onStop(stop)
  })
}
