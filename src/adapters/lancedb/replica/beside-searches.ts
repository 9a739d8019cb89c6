import { setTimeout as wait } from 'node:timers/promises'
import { type CatalogSnapshot, NoIndexError, type SnapshotAge } from '../../../retrieval/ports.ts'
import { reasonOf, StoreError } from '../store-location.ts'

/** What is followed. */
type Followed = {
  /** Looks for a newer commit, and opens it. */
  readonly look: () => Promise<CatalogSnapshot>
  /** What was opened last. */
  readonly opened: () => CatalogSnapshot | null
  /** Opens what this machine has of an earlier process. @returns when it was the newest; null when there is nothing */
  readonly openCopied: () => Promise<Date | null>
  /** From one look to the next, in milliseconds. */
  readonly everyMs: number
  readonly clock: () => number
  /** Told when no news is to be had, and when it is again. */
  readonly tell: (line: string) => void
}

/** Without a search for so long nobody looks for news. */
const idleMs = 30_000
/** The first search after that waits so long for news. */
const patienceMs = 1_000

/**
 * Looks for newer commits beside the searches, as long as there are any, so that no search waits for the way to the store or fails
 * with it. Only who asks first of all waits for an answer of the store; where it gives none, what this machine has of an earlier process
 * answers.
 */
export function besideSearches(followed: Followed) {
  const { opened, everyMs, clock } = followed
  const ended = new AbortController()
  const looks = newsLooks(followed, ended.signal)
  const { looked } = looks
  let askedAt = Number.NEGATIVE_INFINITY
  /** The first look of the round under way. */
  let first: Promise<unknown> | null = null
  let isFirstOver = false

  const round = async (): Promise<void> => {
    isFirstOver = false
    await first?.catch(() => undefined)
    isFirstOver = true
    while (!ended.signal.aborted && clock() - askedAt < idleMs) {
      await wait(everyMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined)
      if (!ended.signal.aborted) await looked().catch(() => undefined)
    }
    first = null
  }

  return {
    async snapshot(): Promise<CatalogSnapshot> {
      askedAt = clock()
      if (first === null) {
        first = looked()
        void round()
      }
      if (opened() === null) return looked()
      if (!isFirstOver && !looks.isFailing())
        await Promise.race([
          first.catch(() => undefined),
          wait(patienceMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined),
        ])
      return opened() ?? looked()
    },
    age: looks.age,
    close: () => ended.abort(),
  }
}

/** Looks at the store, and remembers how that went. */
function newsLooks({ look, opened, openCopied, tell }: Followed, ended: AbortSignal) {
  let seen: Date | null = null
  let failing: { readonly since: Date; readonly reason: string } | null = null

  const looked = async (): Promise<CatalogSnapshot> => {
    try {
      const snapshot = await look()
      if (failing !== null) {
        const seconds = Math.round((Date.now() - failing.since.getTime()) / 1000)
        tell(`is read again, after ${seconds} s. Searches answer by generation ${snapshot.generation}.`)
      }
      ;[seen, failing] = [new Date(), null]
      return snapshot
    } catch (error) {
      const isFirst = opened() === null && !(error instanceof NoIndexError)
      if (isFirst) seen = await openCopied().catch(() => null)
      const last = opened()
      if (last !== null && failing === null && !ended.aborted) {
        const reason = error instanceof StoreError ? error.reason : reasonOf(error)
        failing = { since: new Date(), reason }
        tell(
          `cannot be read: ${reason}. Searches answer by generation ${last.generation}, which was the newest at ${seen?.toISOString()}.`,
        )
      }
      if (isFirst && last !== null) return last
      throw error
    }
  }

  return {
    looked,
    isFailing: () => failing !== null,
    age: (): SnapshotAge | null => {
      const snapshot = opened()
      if (snapshot === null || seen === null) return null
      return { generation: snapshot.generation, seen, ...(failing && { failing }) }
    },
  }
}
