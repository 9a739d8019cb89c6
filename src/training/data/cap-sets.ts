import { capQueries } from './cap-queries.ts'
import type { TrainingCorpus } from './corpus.ts'

/**
 * A corpus with at most so many queries of each set asked of it, as {@link capQueries} draws them. They keep their order.
 *
 * @param most - integer >= 0
 */
export function capSets(corpus: TrainingCorpus, most: number, seed: number): TrainingCorpus {
  const sets = new Set(corpus.queries.map(({ set }) => set))
  const kept = new Set(
    [...sets].flatMap((name) => {
      const queries = corpus.queries.filter(({ set }) => set === name)
      return capQueries({ ...corpus, name: name ?? corpus.name, queries }, most, seed).queries
    }),
  )
  return { ...corpus, queries: corpus.queries.filter((query) => kept.has(query)) }
}
