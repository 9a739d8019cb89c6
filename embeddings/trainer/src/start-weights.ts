import type { Vocabulary } from '../../../src/vectors/embedding/vocabulary.ts'
import type { ContrastiveTrainer } from './contrastive/trainer.ts'
import type { TokenTexts } from './contrastive/texts.ts'
import type { TrainingRecipe } from './recipe.ts'

/** What training starts from: fills in the weights of a trainer that holds random vectors. */
export type StartWeights = (trainer: ContrastiveTrainer, texts: TokenTexts) => void

type FreshStart = {
  readonly vocabulary: Vocabulary
  readonly recipe: TrainingRecipe
  /** Unit vectors of words; their first values become a token's, the rest stays random and small. */
  readonly wordVectors: ReadonlyMap<string, Float32Array> | null
}

/** Random or given vectors, and weights by inverse document frequency. */
export function freshStart({ vocabulary, recipe, wordVectors }: FreshStart): StartWeights {
  const { dimensions, idfStrength, wordVectorRest } = recipe
  return ({ weights }, texts) => {
    const idf = idfWeights(texts, vocabulary.size, idfStrength)
    weights.queryWeights.set(idf)
    weights.documentWeights.set(idf)
    if (wordVectors === null) return
    vocabulary.tokens.forEach((token, id) => {
      const vector = wordVectors.get(token)?.subarray(0, dimensions)
      if (vector === undefined) return
      const row = weights.table.subarray(id * dimensions, (id + 1) * dimensions)
      row.forEach((value, at) => {
        row[at] = at < vector.length ? vector[at]! : value * wordVectorRest
      })
    })
  }
}

/**
 * First token weights, as logarithms: the rarer a token among the texts, the more it counts.
 *
 * @param strength - 0 gives every token the same weight
 * @returns per token of the vocabulary
 */
export function idfWeights(
  { tokens, starts }: TokenTexts,
  vocabulary: number,
  strength: number,
): Float32Array {
  const texts = starts.length - 1
  const holding = new Float64Array(vocabulary)
  const lastSeen = new Int32Array(vocabulary).fill(-1)
  for (let text = 0; text < texts; text += 1)
    for (let at = starts[text]!; at < starts[text + 1]!; at += 1) {
      const token = tokens[at]!
      if (lastSeen[token] === text) continue
      lastSeen[token] = text
      holding[token] = holding[token]! + 1
    }
  // A token in every text counts little, but something: a name may consist of such alone.
  return Float32Array.from(
    holding,
    (count) => strength * Math.log(Math.log(1 + texts / (1 + count)) / 4 + 0.02),
  )
}
