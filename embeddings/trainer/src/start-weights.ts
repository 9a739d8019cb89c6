import type { Vocabulary } from '../../../src/vectors/embedding/vocabulary.ts'
import type { ContrastiveTrainer } from './contrastive/trainer.ts'
import type { TokenTexts } from './contrastive/texts.ts'
import { idfWeights } from './idf-weights.ts'
import type { TrainingRecipe } from './recipe.ts'

/** What training starts from: fills in the weights of a trainer that holds random vectors. */
export type StartWeights = (trainer: ContrastiveTrainer, texts: TokenTexts) => void

export type FreshStart = {
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
