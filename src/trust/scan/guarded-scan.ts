import { setImmediate } from 'node:timers/promises'
import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import type { ScanAhead } from './scan-ahead.ts'
import { findingsOf, type Neighbours } from './scan-cards.ts'
import { largeCard, type ScanThread, scanThread, type Unscanned } from './scan-thread.ts'
import { saidByTexts } from './scan-work.ts'

/** The rule of what was not looked through to its end. */
export const notScanned = 'not-scanned'
/** Milliseconds after which a card of that kind shows that something is: then the others get a deadline as well. */
const patience = 250

export type GuardedScanOptions = {
  readonly neighbours: Neighbours
  readonly signal: AbortSignal
  /** @defaultValue a thread of {@link scanThread} */
  readonly openThread?: () => ScanThread
  /** What the texts of a card say, where they were looked through before. */
  readonly saidOf?: ScanAhead['saidOf'] | undefined
}

/**
 * As `scanCards`, for cards of strangers: a card that takes too long is held rather than waited for. Large cards are looked through in a
 * thread of their own, which starts when the first of them comes, so that the process answers signals and others meanwhile.
 */
export async function guardedScan(
  cards: readonly Card[],
  { neighbours, signal, openThread = scanThread, saidOf }: GuardedScanOptions,
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
      const known = saidOf ? await saidOf(card) : null
      const length = known === null ? JSON.stringify(card).length : 0
      let said: readonly Finding[]
      if (known !== null) {
        said = known
      } else if (isWary || length > largeCard) {
        thread ??= openThread()
        const answer = await thread.scan(card, length, signal)
        said = 'unscanned' in answer ? [unscanned(answer)] : answer
      } else {
        const [start, before] = [performance.now(), process.cpuUsage()]
        said = saidByTexts(card)
        // On a busy machine every text may take long: what counts is that this process was at work.
        const { user, system } = process.cpuUsage(before)
        isWary = Math.min(performance.now() - start, (user + system) / 1000) > patience
      }
      const findings = findingsOf(card, said, neighbours)
      if (findings.length > 0) found.set(card.id, findings)
    }
  } finally {
    await thread?.close()
  }
  return found
}

const unscanned = ({ unscanned: when }: Unscanned): Finding => ({
  rule: notScanned,
  severity: 'hard',
  field: 'description',
  excerpt: '',
  message: `could not be looked through ${when}`,
})
