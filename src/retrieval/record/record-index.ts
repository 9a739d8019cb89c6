import { type BriefOutcome, briefOutcome, type Outcome, succeeded } from '../../domain/outcome.ts'
import type { Tally } from './success-estimate.ts'
import { growingColumn, type TaskVectors, taskVectors } from './task-vectors.ts'
import { type UseIndex, useIndex } from './use-index.ts'

/** What a search needs of an outcome. */
export type IndexedOutcome = BriefOutcome & {
  readonly cardHash: string
  /** The vector of its task by the model of the index; null without one. */
  readonly vector: Int8Array | null
}

/** What outcomes say, each at its place; arrays are longer than what was added. */
type OutcomeColumns = {
  /** 1 success, 0 failure, NaN when it was not graded. */
  readonly successes: Float32Array
  /** Days since 1970. */
  readonly days: Float64Array
  /** Numbers of the cards' hashes, as `hashNumber` gives them. */
  readonly cardHashes: Int32Array
  /** Numbers among `tasks`. */
  readonly tasks: Int32Array
  readonly seconds: Float32Array
  /** 1: it ended with an answer. */
  readonly answered: Uint8Array
}

/** The track record as a search reads it, in memory. Grows in place; synchronous. */
export type RecordIndex = {
  /** Outcomes, each id once. */
  readonly size: number
  /** The model of the tasks' vectors; null without vectors. */
  readonly model: string | null
  readonly tasks: Pick<TaskVectors, 'size' | 'text' | 'cosines'>
  /** Uses of cards; all that follows here leaves them out. */
  readonly uses: Omit<UseIndex, 'add' | 'cards'>
  /** Outcomes that are known already change nothing. */
  add(outcomes: readonly IndexedOutcome[]): void
  has(card: string): boolean
  /** Ids of the cards that have outcomes, of any kind. */
  cards(): Iterable<string>
  /** The number of a card's hash; -1 when no outcome has it. */
  hashNumber(hash: string): number
  /** Whether it holds an outcome, by its id. */
  knows(outcome: string): boolean
  /** Graded runs of a card and their successes, all of them, each counted whole. */
  counts(card: string): Tally
  /** The same for the source of a card, and for the whole record. */
  sourceTally(card: string): Tally
  readonly total: Tally
  /** Places of a card's outcomes in {@link columns}, newest first. @param most - of them */
  latest(card: string, most: number): Int32Array
  /** As they are until the next addition. */
  columns(): OutcomeColumns
  /** When the newest outcome of the record was, days since 1970. */
  readonly newestDay: number
}

/** An outcome as an index takes it. @param vector - of its task */
export const indexedOutcome = (outcome: Outcome, vector: Int8Array | null): IndexedOutcome => ({
  ...briefOutcome(outcome),
  cardHash: outcome.cardHash,
  vector,
})

/** The source of a card, which its id begins with. */
const sourceOf = (card: string): string => card.slice(0, Math.max(0, card.indexOf('/')))

type GrowingTally = { weight: number; successes: number }
type CardEntry = GrowingTally & { readonly number: number; newest: number }

const dayMs = 86_400_000

/**
 * An empty index of a record.
 *
 * @param embedding - the model of the tasks' vectors; null without
 */
export function recordIndex(
  embedding: { readonly model: string; readonly dimensions: number } | null,
): RecordIndex {
  const uses = useIndex()
  const tasks = taskVectors(embedding?.dimensions ?? null)
  const ids = new Set<string>()
  const idAt: string[] = []
  const cards = new Map<string, CardEntry>()
  const sources = new Map<string, GrowingTally>()
  const total: GrowingTally = { weight: 0, successes: 0 }
  const hashes = new Map<string, number>()
  const successes = growingColumn((length) => new Float32Array(length))
  const days = growingColumn((length) => new Float64Array(length))
  const cardHashes = growingColumn((length) => new Int32Array(length))
  const taskNumbers = growingColumn((length) => new Int32Array(length))
  const seconds = growingColumn((length) => new Float32Array(length))
  const answered = growingColumn((length) => new Uint8Array(length))
  /** The next older outcome of the same card, or -1. */
  const earlier = growingColumn((length) => new Int32Array(length))
  let newestDay = Number.NEGATIVE_INFINITY

  /** By time, equal times by id: what a search sums up is the same in whichever order outcomes came. */
  const isNewer = (a: number, b: number): boolean =>
    days.values[a]! > days.values[b]! || (days.values[a] === days.values[b] && idAt[a]! > idAt[b]!)

  const insert = (card: CardEntry, at: number): void => {
    let newer = -1
    let older = card.newest
    while (older >= 0 && isNewer(older, at)) {
      newer = older
      older = earlier.values[older]!
    }
    earlier.values[at] = older
    if (newer < 0) card.newest = at
    else earlier.values[newer] = at
  }

  const cardOf = (id: string): CardEntry =>
    entryOf(cards, id, () => ({ weight: 0, successes: 0, number: cards.size, newest: -1 }))

  const addOne = (card: CardEntry, outcome: IndexedOutcome): void => {
    if (ids.has(outcome.id)) return
    ids.add(outcome.id)
    idAt.push(outcome.id)
    const success = succeeded(outcome)
    const day = outcome.time / dayMs
    if (success !== undefined) {
      const source = entryOf(sources, sourceOf(outcome.card), () => ({ weight: 0, successes: 0 }))
      for (const tally of [card, source, total]) {
        tally.weight += 1
        tally.successes += success ? 1 : 0
      }
    }
    successes.push(success === undefined ? Number.NaN : success ? 1 : 0)
    days.push(day)
    cardHashes.push(entryOf(hashes, outcome.cardHash, () => hashes.size))
    taskNumbers.push(tasks.add(outcome.task, outcome.vector))
    seconds.push(outcome.seconds)
    answered.push(outcome.ending === 'answered' ? 1 : 0)
    insert(card, earlier.push(-1))
    newestDay = Math.max(newestDay, day)
  }

  return {
    get size() {
      return ids.size
    },
    model: embedding?.model ?? null,
    tasks,
    total,
    uses,
    add(outcomes) {
      const all = outcomes.filter(({ id }) => !ids.has(id))
      for (const use of all) {
        if (use.isUse !== true || ids.has(use.id)) continue
        ids.add(use.id)
        uses.add(use)
      }
      const fresh = all.filter(({ isUse }) => isUse !== true)
      for (const { card, outcome } of byCardAndTime(fresh, cardOf)) addOne(card, outcome)
    },
    has: (card) => cards.has(card) || uses.summary(card) !== undefined,
    cards: () => new Set([...cards.keys(), ...uses.cards()]),
    hashNumber: (hash) => hashes.get(hash) ?? -1,
    knows: (outcome) => ids.has(outcome),
    counts: (card) => cards.get(card) ?? nothing,
    sourceTally: (card) => sources.get(sourceOf(card)) ?? nothing,
    latest(card, most) {
      const places = new Int32Array(most)
      const { values: next } = earlier
      let count = 0
      for (let at = cards.get(card)?.newest ?? -1; at >= 0 && count < most; at = next[at]!) {
        places[count] = at
        count += 1
      }
      return places.subarray(0, count)
    },
    columns: () => ({
      successes: successes.values,
      days: days.values,
      cardHashes: cardHashes.values,
      tasks: taskNumbers.values,
      seconds: seconds.values,
      answered: answered.values,
    }),
    get newestDay() {
      return newestDay
    },
  }
}

/**
 * What is read together lies together: the outcomes of a card side by side, oldest first, so that each is inserted at the end of
 * its card's list.
 */
function byCardAndTime<C extends { readonly number: number }>(
  outcomes: readonly IndexedOutcome[],
  cardOf: (id: string) => C,
): readonly { readonly card: C; readonly outcome: IndexedOutcome }[] {
  return outcomes
    .map((outcome) => ({ card: cardOf(outcome.card), outcome }))
    .sort(
      (a, b) =>
        a.card.number - b.card.number ||
        a.outcome.time - b.outcome.time ||
        (a.outcome.id < b.outcome.id ? -1 : 1),
    )
}

const nothing: Tally = { weight: 0, successes: 0 }

function entryOf<Entry>(map: Map<string, Entry>, key: string, fresh: () => Entry): Entry {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = fresh()
  map.set(key, made)
  return made
}
