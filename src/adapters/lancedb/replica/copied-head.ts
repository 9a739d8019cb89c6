import { createHash } from 'node:crypto'
import type { States } from '../head.ts'
import { type StoreHead, storeLayout } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import type { DiskCache } from './disk-cache.ts'

/** A head as this machine keeps it, what it says of sources, and when it was the newest (ISO 8601). */
type CopiedHead = { readonly head: StoreHead; readonly states: States; readonly seen: string }

/** How exact a copy of the head says when that was the newest, in milliseconds. */
const copyHeadMs = 60_000

/** The newest head of a store that this machine has seen: for a process that starts while the store cannot be reached. */
export function copiedHead(cache: DiskCache, location: StoreLocation) {
  const name = `head-${createHash('sha256').update(`${storeLayout} ${location}`).digest('hex')}`
  let copied: { readonly head: StoreHead; readonly at: number } | null = null
  return {
    /** Whether a head is another than was copied last, or that is some time ago. */
    isDue: ({ commit, generation }: StoreHead): boolean =>
      copied?.head.commit !== commit ||
      copied.head.generation !== generation ||
      performance.now() - copied.at >= copyHeadMs,
    async write(head: StoreHead, states: States): Promise<void> {
      const copy: CopiedHead = { head, states, seen: new Date().toISOString() }
      await cache.write(name, [Buffer.from(JSON.stringify(copy))])
      copied = { head, at: performance.now() }
    },
    /** Null where there is none. */
    async read(): Promise<CopiedHead | null> {
      const pieces: Buffer[] = []
      const found = await cache.read(name, () => (piece) => pieces.push(Buffer.from(piece)))
      return found === null ? null : (JSON.parse(Buffer.concat(pieces).toString()) as CopiedHead)
    },
  }
}
