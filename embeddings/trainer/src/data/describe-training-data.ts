import type { TrainingCorpus } from './corpus.ts'
import { selfSupervisedPairs } from './self-supervised-pairs.ts'
import { knownSet, type Splits, trainingSplits } from './splits.ts'

/** What one set gives to training, for a model card. */
export type TrainingSetSummary = {
  /** The source of cards or the set of queries. */
  readonly name: string
  readonly family: string
  /** As its publisher states it. */
  readonly licence: string
  readonly cards: number
  readonly queries: number
  /** Pairs of a query and one relevant card. */
  readonly judgedPairs: number
  /** Pairs that the cards give by themselves. */
  readonly selfSupervisedPairs: number
}

/**
 * What corpora give to training, set by set in the order they come: cards by their source, queries by their set.
 *
 * @param developmentTexts - as for {@link selfSupervisedPairs}
 */
export function describeTrainingData(
  corpora: readonly TrainingCorpus[],
  developmentTexts: ReadonlySet<string> = new Set(),
  splits: Splits = trainingSplits(),
): readonly TrainingSetSummary[] {
  const sets = new Map<string, TrainingSetSummary>()
  const add = (name: string, family: string, counts: Partial<Counts>) => {
    const known = knownSet(splits, name)
    const before = sets.get(name) ?? {
      name,
      family: known?.family ?? family,
      licence: known?.licence ?? 'not known: not a set published with this project',
      ...none,
    }
    sets.set(name, {
      ...before,
      cards: before.cards + (counts.cards ?? 0),
      queries: before.queries + (counts.queries ?? 0),
      judgedPairs: before.judgedPairs + (counts.judgedPairs ?? 0),
      selfSupervisedPairs: before.selfSupervisedPairs + (counts.selfSupervisedPairs ?? 0),
    })
  }
  for (const { name, family, cards, queries } of corpora) {
    const sourceOf = new Map(cards.map(({ id, source }) => [id, source]))
    for (const { source } of cards) add(source, family, { cards: 1 })
    for (const { cardId } of selfSupervisedPairs(cards, developmentTexts)) {
      add(sourceOf.get(cardId)!, family, { selfSupervisedPairs: 1 })
    }
    for (const { set = name, relevant } of queries)
      add(set, family, { queries: 1, judgedPairs: relevant.length })
  }
  return [...sets.values()]
}

type Counts = Pick<TrainingSetSummary, 'cards' | 'queries' | 'judgedPairs' | 'selfSupervisedPairs'>

const none: Counts = { cards: 0, queries: 0, judgedPairs: 0, selfSupervisedPairs: 0 }
