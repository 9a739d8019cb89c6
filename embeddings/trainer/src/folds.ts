import { seedOf } from '../../../src/domain/random.ts'
import type { TrainingCorpus } from './data/corpus.ts'

/** Parts of the data, each with a model that is trained without it: for scores that know nothing of the answers. */
export type Folds = {
  readonly count: number
  /** The fold of a query; null when there are no folds. */
  ofQuery(corpus: number, text: string): number | null
  /** The fold of what cards say by themselves; null when all models see it. */
  ofCards(corpus: number): number | null
}

/** One model that sees everything. */
export const noFolds: Folds = { count: 0, ofQuery: () => null, ofCards: () => null }

/**
 * Deals families, so that a fold's model has seen no relative of its sets either: the largest first, each to the fold
 * that has the fewest pairs. Of a single family the queries are dealt by their text instead.
 *
 * @param most - folds at most, >= 2; fewer when there are fewer families with queries
 */
export function dealFolds(corpora: readonly TrainingCorpus[], most: number): Folds {
  const pairs = new Map<string, number>()
  for (const { family, queries } of corpora) {
    if (queries.length === 0) continue
    const own = queries.reduce((sum, { relevant }) => sum + relevant.length, 0)
    pairs.set(family, (pairs.get(family) ?? 0) + own)
  }
  if (pairs.size < 2) return { count: most, ofQuery: (_, text) => seedOf(text) % most, ofCards: () => null }
  const sums = new Array<number>(Math.min(most, pairs.size)).fill(0)
  const foldOf = new Map<string, number>()
  const largestFirst = [...pairs].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  for (const [family, own] of largestFirst) {
    const fold = sums.indexOf(Math.min(...sums))
    foldOf.set(family, fold)
    sums[fold] = sums[fold]! + own
  }
  const ofCards = (corpus: number): number | null => foldOf.get(corpora[corpus]!.family) ?? null
  return { count: sums.length, ofQuery: ofCards, ofCards }
}
