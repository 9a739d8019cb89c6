import { capQueries } from './cap-queries.ts'
import type { TrainingCorpus } from './corpus.ts'

/**
 * A corpus with at most so many queries of each set asked of it, as {@link capQueries} draws them. They keep their order.
 *
 * @param most - `perSet` of a set, and of a corpus of few cards no more than `perCard` for each of them; integers >= 0
 */
export function capSets(
  corpus: TrainingCorpus,
  most: { readonly perSet: number; readonly perCard: number },
  seed: number,
): TrainingCorpus {
  const limit = Math.min(most.perSet, most.perCard * corpus.cards.length)
  const sets = new Set(corpus.queries.map(({ set }) => set))
  const kept = new Set(
    [...sets].flatMap((name) => {
      const queries = corpus.queries.filter(({ set }) => set === name)
      return capQueries({ ...corpus, name: name ?? corpus.name, queries }, limit, seed).queries
    }),
  )
  return { ...corpus, queries: corpus.queries.filter((query) => kept.has(query)) }
}
