import type { ContrastiveTrainer } from './contrastive/trainer.ts'
import type { HeldOutQuery, TrainingTexts } from './training-texts.ts'

const cutoff = 10

/**
 * Mean nDCG@10 of held-out queries, each over the cards of its own corpus, by the embedding alone.
 *
 * @returns null without such queries
 */
export function heldOutNdcg(
  { encode }: Pick<ContrastiveTrainer, 'encode'>,
  { cards }: Pick<TrainingTexts, 'cards'>,
  queries: readonly HeldOutQuery[],
): number | null {
  if (queries.length === 0) return null
  let sum = 0
  for (const [corpus, texts] of cards.entries()) {
    const own = queries.filter((query) => query.corpus === corpus)
    if (own.length === 0) continue
    const documents = encode(texts, 'document')
    const vectors = encode(
      own.map(({ query }) => query),
      'query',
    )
    const dimensions = vectors.length / own.length
    own.forEach(({ positives }, row) => {
      const query = vectors.subarray(row * dimensions, (row + 1) * dimensions)
      sum += ndcgOf(cosines(documents, query), texts, new Set(positives))
    })
  }
  return sum / queries.length
}

/** Dot products of rows with a vector whose length is a multiple of 4. */
export function cosines(rows: Float32Array, vector: Float32Array): Float32Array {
  const width = vector.length
  const scores = new Float32Array(rows.length / width)
  for (let row = 0; row < scores.length; row += 1) {
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let at = 0, from = row * width; at < width; at += 4, from += 4) {
      a += rows[from]! * vector[at]!
      b += rows[from + 1]! * vector[at + 1]!
      c += rows[from + 2]! * vector[at + 2]!
      d += rows[from + 3]! * vector[at + 3]!
    }
    scores[row] = a + b + c + d
  }
  return scores
}

function ndcgOf(scores: Float32Array, texts: Uint32Array, relevant: ReadonlySet<number>): number {
  let gain = 0
  for (const [place, text] of texts.entries()) {
    if (!relevant.has(text)) continue
    const own = scores[place]!
    let rank = 0
    for (let other = 0; other < scores.length && rank < cutoff; other += 1)
      if (scores[other]! > own || (scores[other] === own && other < place)) rank += 1
    if (rank < cutoff) gain += 1 / Math.log2(rank + 2)
  }
  let ideal = 0
  for (let rank = 0; rank < Math.min(cutoff, relevant.size); rank += 1) ideal += 1 / Math.log2(rank + 2)
  return gain / ideal
}
