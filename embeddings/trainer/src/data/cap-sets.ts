import type { TrainingCorpus } from './corpus.ts'
import { seededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import { seedOf } from '../../../../src/domain/random.ts'

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

/**
 * A corpus with at most so many queries, drawn evenly and without replacement, so that no set drowns the others. They
 * keep their order.
 *
 * @param most - integer ≥ 0
 * @param seed - integer; the same seed draws the same queries of the same corpus, and others of another
 */
export function capQueries(corpus: TrainingCorpus, most: number, seed: number): TrainingCorpus {
  const count = corpus.queries.length
  if (count <= most) return corpus
  const random = seededRandom(seed + seedOf(corpus.name))
  const order = Array.from({ length: count }, (_, index) => index)
  for (let at = 0; at < most; at += 1) {
    const other = at + random.below(count - at)
    const taken = order[other]!
    order[other] = order[at]!
    order[at] = taken
  }
  const drawn = order.slice(0, most).sort((a, b) => a - b)
  return { ...corpus, queries: drawn.map((index) => corpus.queries[index]!) }
}
