import { contentHash } from '../../catalog/identity.ts'
import type { Card } from '../../domain/card.ts'
import type { Outcome, UseEnding } from '../../domain/outcome.ts'
import type { TrackRecord } from '../ports.ts'

/** A use to be remembered: what became of it, and what it cost. */
type Use = {
  readonly card: Card
  readonly ending: UseEnding
  readonly seconds: number
  readonly tokens: number | null
  readonly cost: number | null
  readonly executor: string
}

/** Adds uses to the record, some at once, so that no call waits for it. */
export type UseRecorder = {
  remember(use: Use): void
  /** Resolves when all that was to be remembered is, or could not be. */
  settled(): Promise<void>
}

/**
 * Uses that are written at once, and the time between two writes, ms: each is a commit of the store. The first use after a
 * rest is written right away, since a host may end us half a second after its last call.
 */
const batch = { most: 1_000, waitMs: 3_000 }
/** Days that a use is kept: an older one weighs nothing. */
const keptDays = 90
const dayMs = 86_400_000

/** What is told to readers of the record who know no uses. */
const endingOf: { readonly [use in UseEnding]: Outcome['ending'] } = {
  worked: 'answered',
  empty: 'answered',
  failed: 'failed',
  timeout: 'limit',
  // These say nothing of the card.
  arguments: 'cancelled',
  refused: 'cancelled',
  unknown: 'cancelled',
}

/** What a recorder works with. */
type UseSurroundings = {
  readonly openRecord: () => Promise<TrackRecord>
  /** Whether the user's settings say so, asked at each write. */
  readonly isWanted: () => Promise<boolean>
  readonly now: () => Date
  /** A UUID each time. */
  readonly newId: () => string
}

export function useRecorder(surroundings: UseSurroundings): UseRecorder {
  const { now, newId } = surroundings
  const write = useWriter(surroundings)
  let waiting: Outcome[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let hasWarned = false

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = waiting.length === 0 ? undefined : setTimeout(() => void flush(), batch.waitMs).unref()
    const outcomes = waiting
    waiting = []
    writing = writing
      .then(() => write(outcomes))
      .catch((error: unknown) => {
        if (!hasWarned) console.error('audition: uses are not recorded:', error)
        hasWarned = true
      })
    return writing
  }

  return {
    remember({ card, ending, ...cost }) {
      waiting.push({
        id: newId(),
        card: card.id,
        cardHash: contentHash(card),
        kind: card.kind,
        task: '',
        time: now().toISOString(),
        origin: 'use',
        use: ending,
        ending: endingOf[ending],
        verdict: null,
        ...cost,
      })
      if (timer === undefined || waiting.length >= batch.most) void flush()
    },
    settled: flush,
  }
}

/** Adds uses to the record. At the first of them those are forgotten that are too old. */
function useWriter({ openRecord, isWanted, now }: UseSurroundings) {
  let hasTidied = false
  return async (outcomes: readonly Outcome[]): Promise<void> => {
    if (outcomes.length === 0 || !(await isWanted())) return
    const record = await openRecord()
    await record.add(outcomes)
    if (hasTidied) return
    hasTidied = true
    const old = {
      origin: 'use',
      before: new Date(now().getTime() - keptDays * dayMs).toISOString(),
    } as const
    if ((await record.list({ ...old, limit: 1 })).length > 0) await record.forget(old)
  }
}
