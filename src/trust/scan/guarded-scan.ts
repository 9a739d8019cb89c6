import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { saidByTexts } from './said-by-texts.ts'
import { findingsOf, type Neighbour } from './scan-cards.ts'

/** Cards whose JSON is shorter are looked through here: no text of this length can take long unless something is wrong with us. */
const largeCard = 20_000
/** Milliseconds after which a card of that kind shows that something is: then the others get a deadline as well. */
const patience = 250
/** Milliseconds a thread has for a card, and more for each of its characters: ten times what a slow machine needs. */
const deadline = { base: 10_000, perCharacter: 0.02 }

type ScanThread = {
  /** What the texts of a card say; one finding that holds the card when they took too long. */
  said(card: Card, length: number, signal: AbortSignal): Promise<readonly Finding[]>
  close(): Promise<void>
}

export type GuardedScanOptions = {
  readonly neighbours: readonly Neighbour[]
  readonly signal: AbortSignal
  /** @defaultValue a thread of {@link scanThread} */
  readonly openThread?: () => ScanThread
}

/**
 * As `scanCards`, for cards of strangers: a card that takes too long is held rather than waited for. Large cards are looked through in a
 * thread of their own, which starts when the first of them comes, so that the process answers signals and others meanwhile.
 */
export async function guardedScan(
  cards: readonly Card[],
  { neighbours, signal, openThread = scanThread }: GuardedScanOptions,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const found = new Map<string, readonly Finding[]>()
  let thread: ScanThread | null = null
  let isWary = false
  let lastTurn = performance.now()
  try {
    for (const card of cards) {
      if (performance.now() - lastTurn > patience) {
        await setImmediate()
        lastTurn = performance.now()
      }
      signal.throwIfAborted()
      const length = JSON.stringify(card).length
      let said: readonly Finding[]
      if (isWary || length > largeCard) {
        thread ??= openThread()
        said = await thread.said(card, length, signal)
      } else {
        const start = performance.now()
        said = saidByTexts(card)
        isWary = performance.now() - start > patience
      }
      const findings = findingsOf(card, said, neighbours)
      if (findings.length > 0) found.set(card.id, findings)
    }
  } finally {
    await thread?.close()
  }
  return found
}

const unscanned = (when: string): Finding => ({
  rule: 'not-scanned',
  severity: 'hard',
  field: 'description',
  excerpt: '',
  message: `could not be looked through ${when}`,
})

/** Beside this file, where it is compiled; sources that run as they are have none, and are scanned where they run. */
const compiledEntry = new URL('./scan-worker.js', import.meta.url)

/** @param entry - a module that answers each card it is sent with what its texts say */
export function scanThread(entry: URL = compiledEntry, { base, perCharacter } = deadline): ScanThread {
  let worker: Worker | null = null
  const isAbsent = entry.protocol === 'file:' && !existsSync(entry)
  return {
    async said(card, length, signal) {
      if (isAbsent) return saidByTexts(card)
      const limit = base + length * perCharacter
      worker ??= new Worker(entry, { execArgv: [] })
      const own = worker
      const answer = await answerOf(own, card, limit, signal)
      if (answer.kind === 'findings') return answer.findings
      worker = null
      await own.terminate()
      signal.throwIfAborted()
      return [unscanned(answer.kind === 'late' ? `within ${Math.round(limit / 1_000)} s` : 'to the end')]
    },
    close: async () => void (await worker?.terminate()),
  }
}

type Answer =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  | { readonly kind: 'late' | 'ended' }

function answerOf(worker: Worker, card: Card, limit: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      worker.removeAllListeners()
      worker.on('error', () => undefined) // what it says after its end changes nothing
      resolve(answer)
    }
    const stop = (): void => end({ kind: 'ended' })
    const timer = setTimeout(() => end({ kind: 'late' }), limit)
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', (findings: readonly Finding[]) => end({ kind: 'findings', findings }))
    worker.once('error', stop)
    worker.once('exit', stop)
    worker.postMessage(card)
  })
}
