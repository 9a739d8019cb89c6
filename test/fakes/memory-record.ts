import { briefOutcome, type Outcome } from '../../src/domain/outcome.ts'
import type { OutcomeFilter, TrackRecord } from '../../src/probing/ports.ts'

/** A track record that lasts as long as the test, and what was added to it in order. */
export type MemoryRecord = TrackRecord & { readonly added: Outcome[] }

/** Keeps outcomes in memory, one of each id. */
export function memoryRecord(): MemoryRecord {
  const added: Outcome[] = []
  const admits =
    ({ cards, kind, before, origin, withoutUses }: OutcomeFilter) =>
    (outcome: Outcome): boolean =>
      (cards === undefined || cards.includes(outcome.card)) &&
      (kind === undefined || outcome.kind === kind) &&
      (before === undefined || outcome.time < before) &&
      (origin === undefined || outcome.origin === origin) &&
      (withoutUses !== true || outcome.origin !== 'use')
  const list = (filter: OutcomeFilter = {}): readonly Outcome[] =>
    added
      .filter(admits(filter))
      .sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
      .slice(0, filter.limit ?? Number.POSITIVE_INFINITY)
  return {
    added,
    async add(outcomes) {
      for (const outcome of outcomes) if (!added.some(({ id }) => id === outcome.id)) added.push(outcome)
    },
    requireWritable: async () => {},
    list: async (filter) => list(filter),
    brief: async (filter) => list(filter).map(briefOutcome),
    async replace(outcomes) {
      for (const outcome of outcomes) {
        const at = added.findIndex(({ id }) => id === outcome.id)
        if (at >= 0) added[at] = outcome
      }
    },
    async forget(filter) {
      const gone = new Set(list(filter).map(({ id }) => id))
      const kept = added.filter(({ id }) => !gone.has(id))
      added.splice(0, added.length, ...kept)
      return gone.size
    },
    close: async () => {},
  }
}
