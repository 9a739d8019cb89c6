import type { Batch } from './contrastive/trainer.ts'
import type { TrainingPair } from './training-texts.ts'

type BatchSources = {
  /** Per text: equal for texts that stand for the same card. */
  readonly keys: Uint32Array
  /** Texts of cards; a pair without hard negatives draws one of them. At least one. */
  readonly others: readonly number[]
  /** Numbers 0..1. */
  readonly random: () => number
}

/**
 * A batch of pairs, each with one of its positives and one hard negative. What a query does not count as wrong: other
 * cards that serve it, and cards that read the same as one that does.
 */
export function batchOf(pairs: readonly TrainingPair[], { keys, others, random }: BatchSources): Batch {
  const drawn = (list: readonly number[]): number => list[Math.floor(random() * list.length)]!
  const documents = pairs.map(({ positives }) => drawn(positives))
  const negatives = pairs.map((pair) => drawn(pair.negatives.length > 0 ? pair.negatives : others))
  const columnsOf = new Map<number, number[]>()
  for (const [column, text] of [...documents, ...negatives].entries()) {
    const columns = columnsOf.get(keys[text]!)
    if (columns === undefined) columnsOf.set(keys[text]!, [column])
    else columns.push(column)
  }
  const falseNegatives = pairs.flatMap(({ positives }, row) => {
    const served = new Set(positives.map((text) => keys[text]!))
    return [...served].flatMap((key) =>
      (columnsOf.get(key) ?? []).flatMap((column) => (column === row ? [] : [[row, column] as const])),
    )
  })
  return {
    queries: pairs.map(({ query }) => query),
    documents,
    negatives,
    weights: pairs.map(() => 1),
    falseNegatives,
  }
}
