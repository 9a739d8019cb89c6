import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Table } from '@lancedb/lancedb'
import { OvertakenError } from '../../../store/catalog-writer.ts'
import { readStoredHead, replaceHead, type StoredHead } from '../head.ts'
import { includesCommit } from '../commit/next-head.ts'
import type { EngineState, StoreHead } from '../schemas.ts'
import { again } from '../engine-connection.ts'

/** How often a writer shows that it lives, and how long one is waited for that does not, in milliseconds. */
const defaultPace = { beatMs: 10_000, silentMs: 60_000, pollMs: 500 }
export type ClaimPace = typeof defaultPace

/** The right to commit, which one writer at a time has. */
export type Claim = {
  /** What it was taken on. */
  readonly before: StoredHead
  /** Of the commit: no other has it. */
  readonly number: number
  /** Shows that this writer lives, when that is due. @throws OvertakenError when another one took it for gone */
  beat(): Promise<void>
  /** Puts the head in its place: that is the commit. @throws OvertakenError when another one took this writer for gone */
  land(next: Omit<StoreHead, 'engine'>, kept: Pick<EngineState, 'dead' | 'landed'>): Promise<StoredHead>
  /** Gives the claim back, once nothing is left of what was written. */
  leave(): Promise<void>
}

/**
 * Lets one writer at a time change a store in an engine. Whoever is there is waited for, as long as it shows that it lives; then its
 * number is declared dead, in the row that it would have to replace: so it cannot commit, and whatever it still writes counts for nothing.
 */
export async function claimStore(
  meta: Table,
  signal: AbortSignal | undefined,
  pace: ClaimPace = defaultPace,
): Promise<Claim> {
  const watched = { claim: '', since: performance.now() }
  for (;;) {
    signal?.throwIfAborted()
    const stored = await newest(meta)
    const { claim } = stored.engine
    const seen = JSON.stringify(claim)
    if (seen !== watched.claim) Object.assign(watched, { claim: seen, since: performance.now() })
    if (claim === null || performance.now() - watched.since >= pace.silentMs) {
      const taken = await take(meta, stored)
      if (taken !== null) return claimed(meta, taken, pace)
    } else await wait(pace.pollMs, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

/** What the row holds; before the first commit there is no head. */
type Row = Partial<Omit<StoreHead, 'engine'>> & { readonly engine: EngineState }

/** What is read is what was written before: the connection asks for that. */
const newest = (meta: Table): Promise<StoredHead> => again(() => readStoredHead(meta))

async function take(meta: Table, stored: StoredHead): Promise<StoredHead | null> {
  const { at, dead, landed, claim: former } = stored.engine
  const given = former === null ? dead : [...dead, { number: former.number, found: new Date().toISOString() }]
  const number = Math.max(at, ...given.map((one) => one.number)) + 1
  const claim = { number, by: randomUUID(), beat: 0 }
  return replaced(meta, stored, { ...stored.head, engine: { at, dead: given, landed, claim } })
}

/**
 * Replaces the row, whatever is heard of it: an answer may get lost.
 *
 * @returns what stands there now, when it is this writer's
 */
async function replaced(
  meta: Table,
  { text, head: former }: StoredHead,
  sent: Row,
): Promise<StoredHead | null> {
  const error = await replaceHead(meta, { text }, { next: sent }).then(
    () => null,
    (failure: unknown) => failure,
  )
  const stored = await newest(meta)
  if (isSame(stored, former, sent)) return stored
  if (error !== null && stored.text === text) throw error
  return null
}

/** Whether what was sent stands there: a commit also when another writer was at once upon it. */
const isSame = (stored: StoredHead, before: StoreHead | null, sent: Row): boolean =>
  sent.commit !== undefined && sent.commit !== before?.commit
    ? includesCommit(stored.head, sent.commit)
    : JSON.stringify(stored.engine) === JSON.stringify(sent.engine)

function claimed(meta: Table, taken: StoredHead, { beatMs }: ClaimPace): Claim {
  let stored = taken
  let beatAt = performance.now()
  const claim = taken.engine.claim!
  const { number } = claim
  const put = async (
    engine: EngineState,
    head: Omit<StoreHead, 'engine'> | null = stored.head,
  ): Promise<void> => {
    const next = await replaced(meta, stored, { ...head, engine })
    if (next === null) throw new OvertakenError('took this one for gone')
    stored = next
    beatAt = performance.now()
  }
  return {
    before: taken,
    number,
    async beat() {
      if (performance.now() - beatAt < beatMs) return
      await put({ ...stored.engine, claim: { ...claim, beat: stored.engine.claim!.beat + 1 } })
    },
    async land(next, kept) {
      await put({ ...kept, at: number, claim: null }, next)
      return stored
    },
    leave: () => put({ ...stored.engine, claim: null }),
  }
}
