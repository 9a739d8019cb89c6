import { type BriefOutcome, briefOutcome, type Outcome, succeeded } from '../../domain/outcome.ts'
import { newestFirstLists } from './newest-first-lists.ts'
import { type OutcomeColumns, outcomeColumns } from './outcome-columns.ts'
import type { Tally } from './success-estimate.ts'
import { type TaskVectors, taskVectors } from './task-vectors.ts'
import { type UseIndex, useIndex } from './use-index.ts'

/** What a search needs of an outcome. */
export type IndexedOutcome = BriefOutcome & {
  readonly cardHash: string
  /** The vector of its task by the model of the index; null without one. */
  readonly vector: Int8Array | null
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
  const cards = new Map<string, CardEntry>()
  const sources = new Map<string, GrowingTally>()
  const total = emptyTally()
  const hashes = new Map<string, number>()
  const columns = outcomeColumns()
  const lists = newestFirstLists(columns.days)

  const cardOf = (id: string): CardEntry =>
    entryOf(cards, id, () => ({ weight: 0, successes: 0, number: cards.size, newest: -1 }))

  const addOne = (card: CardEntry, outcome: IndexedOutcome): void => {
    if (ids.has(outcome.id)) return
    ids.add(outcome.id)
    const success = succeeded(outcome)
    if (success !== undefined)
      count([card, entryOf(sources, sourceOf(outcome.card), emptyTally), total], success)
    columns.push({
      success,
      day: outcome.time / dayMs,
      cardHash: entryOf(hashes, outcome.cardHash, () => hashes.size),
      task: tasks.add(outcome.task, outcome.vector),
      seconds: outcome.seconds,
      isAnswered: outcome.ending === 'answered',
    })
    lists.insert(card, outcome.id)
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
      addUses(all, uses, ids)
      const fresh = all.filter(({ isUse }) => isUse !== true)
      for (const { card, outcome } of byCardAndTime(fresh, cardOf)) addOne(card, outcome)
    },
    has: (card) => cards.has(card) || uses.summary(card) !== undefined,
    cards: () => new Set([...cards.keys(), ...uses.cards()]),
    hashNumber: (hash) => hashes.get(hash) ?? -1,
    knows: (outcome) => ids.has(outcome),
    counts: (card) => cards.get(card) ?? nothing,
    sourceTally: (card) => sources.get(sourceOf(card)) ?? nothing,
    latest: (card, most) => lists.latest(cards.get(card)?.newest ?? -1, most),
    columns: columns.now,
    get newestDay() {
      return columns.newestDay
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

/** @param ids - of the outcomes that are there */
function addUses(outcomes: readonly IndexedOutcome[], uses: Pick<UseIndex, 'add'>, ids: Set<string>): void {
  for (const use of outcomes) {
    if (use.isUse !== true || ids.has(use.id)) continue
    ids.add(use.id)
    uses.add(use)
  }
}

const emptyTally = (): GrowingTally => ({ weight: 0, successes: 0 })

/** Counts a graded run for all of whom it speaks. */
function count(tallies: readonly GrowingTally[], isSuccess: boolean): void {
  for (const tally of tallies) {
    tally.weight += 1
    tally.successes += isSuccess ? 1 : 0
  }
}

const nothing: Tally = { weight: 0, successes: 0 }

function entryOf<Entry>(map: Map<string, Entry>, key: string, fresh: () => Entry): Entry {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = fresh()
  map.set(key, made)
  return made
}
