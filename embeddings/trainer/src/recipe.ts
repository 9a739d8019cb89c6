import type { BoostingSettings } from './boosting/boosting-settings.ts'
import { TrainingError } from './training-error.ts'

/** Every number that training depends on besides the data and the seed. */
export type TrainingRecipe = {
  /** Tokens of the vocabulary at most, 256 bytes among them. Integer of 256..65,536. @defaultValue 40,000 */
  readonly vocabulary: number
  /** Words and pieces that occur less often get no token. Integer >= 1. @defaultValue 3 */
  readonly minimumCount: number
  /** Length of a vector that is trained: a multiple of 8, 8..1024. @defaultValue 256 */
  readonly dimensions: number
  /** Of these the principal ones, which the model keeps, at most: a multiple of 8, 8..1024. @defaultValue 192 */
  readonly keptDimensions: number
  /** Tokens of a query that are read. Integer >= 1. @defaultValue 100 */
  readonly queryTokens: number
  /** Tokens of each field of a card that are read, in this order. */
  readonly fieldTokens: { readonly [field in EmbeddedField]: number }
  /** Tokens read of a text that stands for a card in a self-supervised pair. Integer >= 1. @defaultValue 160 */
  readonly pairTokens: number
  /** Queries of one set at most, so that none drowns the others. Integer >= 1. @defaultValue 10,000 */
  readonly queriesPerSet: number
  /** Queries of one set at most for each card of its corpus. Integer >= 1. @defaultValue 20 */
  readonly queriesPerCard: number
  /** Self-supervised pairs of an epoch at most, drawn anew each time. Integer >= 0. @defaultValue 60,000 */
  readonly selfSupervisedPairs: number
  /** Cards per query that BM25 ranks high and that do not serve it. Integer of 0..100. @defaultValue 20 */
  readonly hardNegatives: number
  /** Share of the queries that are not trained on and measured after each epoch. 0..0.5. @defaultValue 0.01 */
  readonly heldOut: number
  /** Pairs of a batch, a multiple of 8; less where there are fewer pairs. @defaultValue 1,024 */
  readonly batchSize: number
  /** Integer of 1..1,000. @defaultValue 3 */
  readonly epochs: number
  /** The highest of the schedule. Above 0, at most 1. @defaultValue 0.003 */
  readonly learningRate: number
  /** Share of the steps in which the rate rises to its highest. 0..1. @defaultValue 0.05 */
  readonly warmUp: number
  /** Share of the highest rate that the last steps have. 0..1. @defaultValue 0.03 */
  readonly lastRate: number
  /** Share of the tokens left out of a text each time. 0..0.9. @defaultValue 0.15 */
  readonly tokenDropout: number
  /** Strength of inverse document frequency in the first token weights. 0..4. @defaultValue 0.5 */
  readonly idfStrength: number
  /** With initial word vectors: size of the random rest of a vector, against one without. 0..1. @defaultValue 0.3 */
  readonly wordVectorRest: number
  readonly interaction: InteractionRecipe
  /** Models trained without a part of the data, for the ranker's rows. Integer of 2..20. @defaultValue 8 */
  readonly folds: number
  /** Queries per corpus and way of looking at it that the ranker learns from. Integer >= 1. @defaultValue 250 */
  readonly rankerQueries: number
  /** The same for all corpora of one family together. Integer >= 1. @defaultValue 1,000 */
  readonly rankerFamilyQueries: number
  readonly ranker: RankerRecipe
}

/** Fields of a card in the order in which the embedding reads them. */
export const embeddedFields = ['name', 'description', 'examples', 'parameters', 'body'] as const
type EmbeddedField = (typeof embeddedFields)[number]

/** How the vectors are trained by which words are matched one by one. */
type InteractionRecipe = {
  /** Of these vectors, at most those of the embedding: a multiple of 8. */
  readonly dimensions: number
  readonly epochs: number
  /** Of the first epoch. */
  readonly learningRate: number
  /** Queries of one corpus in an epoch at most, drawn anew each time. */
  readonly queriesPerSet: number
  /** Cards set against one that serves: of those BM25 ranks high, and of the whole corpus. */
  readonly hardCards: number
  readonly randomCards: number
}

export type RankerRecipe = Pick<
  BoostingSettings,
  | 'trees'
  | 'leaves'
  | 'learningRate'
  | 'minimumRows'
  | 'featureFraction'
  | 'rowFraction'
  | 'lambdaL2'
  | 'truncation'
  | 'bins'
>

export const defaultRecipe: TrainingRecipe = {
  vocabulary: 40_000,
  minimumCount: 3,
  dimensions: 256,
  keptDimensions: 192,
  queryTokens: 100,
  fieldTokens: { name: 16, description: 100, examples: 40, parameters: 60, body: 60 },
  pairTokens: 160,
  queriesPerSet: 10_000,
  queriesPerCard: 20,
  selfSupervisedPairs: 60_000,
  hardNegatives: 20,
  heldOut: 0.01,
  batchSize: 1_024,
  epochs: 3,
  learningRate: 0.003,
  warmUp: 0.05,
  lastRate: 0.03,
  tokenDropout: 0.15,
  idfStrength: 0.5,
  wordVectorRest: 0.3,
  interaction: {
    dimensions: 64,
    epochs: 5,
    learningRate: 0.2,
    queriesPerSet: 3_000,
    hardCards: 4,
    randomCards: 2,
  },
  folds: 8,
  rankerQueries: 250,
  rankerFamilyQueries: 1_000,
  ranker: {
    trees: 300,
    leaves: 8,
    learningRate: 0.06,
    minimumRows: 300,
    featureFraction: 0.7,
    rowFraction: 0.7,
    lambdaL2: 5,
    truncation: 20,
    bins: 64,
  },
}

/** Where adapting a model differs: small steps, since the model knows most of it already. */
export const adaptationRecipe: TrainingRecipe = { ...defaultRecipe, epochs: 2, learningRate: 0.001 }

type Range = { readonly least: number; readonly most: number; readonly step?: number }

const ranges: {
  readonly [name in Exclude<keyof TrainingRecipe, 'fieldTokens' | 'interaction' | 'ranker'>]: Range
} = {
  vocabulary: { least: 256, most: 65_536, step: 1 },
  minimumCount: { least: 1, most: 1_000_000, step: 1 },
  dimensions: { least: 8, most: 1_024, step: 8 },
  keptDimensions: { least: 8, most: 1_024, step: 8 },
  queryTokens: { least: 1, most: 10_000, step: 1 },
  pairTokens: { least: 1, most: 10_000, step: 1 },
  queriesPerSet: { least: 1, most: 2 ** 20, step: 1 },
  queriesPerCard: { least: 1, most: 2 ** 20, step: 1 },
  selfSupervisedPairs: { least: 0, most: 2 ** 30, step: 1 },
  hardNegatives: { least: 0, most: 100, step: 1 },
  heldOut: { least: 0, most: 0.5 },
  batchSize: { least: 8, most: 65_536, step: 8 },
  epochs: { least: 1, most: 1_000, step: 1 },
  learningRate: { least: 1e-9, most: 1 },
  warmUp: { least: 0, most: 1 },
  lastRate: { least: 0, most: 1 },
  tokenDropout: { least: 0, most: 0.9 },
  idfStrength: { least: 0, most: 4 },
  wordVectorRest: { least: 0, most: 1 },
  folds: { least: 2, most: 20, step: 1 },
  rankerQueries: { least: 1, most: 100_000, step: 1 },
  rankerFamilyQueries: { least: 1, most: 100_000, step: 1 },
}

/**
 * Fills in what is not given.
 *
 * @param base - {@link defaultRecipe} or {@link adaptationRecipe}
 * @throws TrainingError for a value out of its range; the message names it
 */
export function trainingRecipe(
  given: Partial<TrainingRecipe>,
  base: TrainingRecipe = defaultRecipe,
): TrainingRecipe {
  const recipe = { ...base, ...given }
  for (const [name, { least, most, step }] of Object.entries(ranges)) {
    const value = recipe[name as keyof typeof ranges]
    const isStep = step === undefined || Number.isInteger(value / step)
    if (value >= least && value <= most && isStep) continue
    const what = step === undefined ? 'a number' : step === 1 ? 'a whole number' : `a multiple of ${step}`
    throw new TrainingError(`"${name}" is ${value}.`, `Give ${what} from ${least} to ${most}.`)
  }
  const { dimensions } = recipe.interaction
  if (!(dimensions >= 8 && dimensions <= 1_024 && dimensions % 8 === 0))
    throw new TrainingError(
      `"interaction.dimensions" is ${dimensions}.`,
      'Give a multiple of 8 from 8 to 1024.',
    )
  for (const field of embeddedFields) {
    const limit = recipe.fieldTokens[field]
    if (!Number.isInteger(limit) || limit < 1)
      throw new TrainingError(`"fieldTokens.${field}" is ${limit}.`, 'Give a whole number of at least 1.')
  }
  return recipe
}
