import { basename } from 'node:path'
import type { TrainOptions } from '../../../../src/compose/parts/trainer.ts'
import { analyzerVersion } from '../../../../src/retrieval/text/analyze.ts'
import { wordSplitVersion } from '../../../../src/vectors/embedding/split-words.ts'
import type { TrainingCorpus } from '../data/corpus.ts'
import { describeTrainingData } from '../data/describe-training-data.ts'
import type { TrainingData } from '../data/read-training-corpora.ts'
import type { TrainedInteraction } from '../interaction/train-interaction.ts'
import type { TrainingReaders } from '../reading/training-readers.ts'
import type { TrainingRecipe } from '../recipe.ts'
import type { TrainedEmbedding } from '../train-embedding.ts'
import type { TrainedRanking } from '../train-ranking.ts'
import type { TrainingTexts } from '../training-texts.ts'
import type { BaseModel } from './base-model.ts'
import type { ModelCard } from './model-card.ts'
import type { WorkFolder } from './work-folder.ts'

/** What a training begins with. */
export type Prepared = {
  readonly base: BaseModel | null
  readonly recipe: TrainingRecipe
  readonly data: TrainingData
  /** Those of the data, with as many queries as are trained on. */
  readonly corpora: readonly TrainingCorpus[]
  /** SHA-256 of the file of word vectors. */
  readonly vectorsHash: string | null
  readonly readers: TrainingReaders | null
}

type Outcome = {
  readonly work: WorkFolder
  readonly texts: TrainingTexts
  readonly embedding: TrainedEmbedding
  /** Null when the adapted model's is kept, as its ranker learned from it. */
  readonly interaction: TrainedInteraction | null
  /** Null when the adapted model's is kept. */
  readonly ranking: TrainedRanking | null
  /** Null without a reader, and when the adapted model's is kept. */
  readonly reading: TrainedRanking | null
  /** Tokens that the word vectors know. */
  readonly knownWords: number
}

/** What a model that was just trained says of itself. */
export function cardOf(
  options: CardOptions,
  { base, recipe, data, corpora, vectorsHash, readers }: Prepared,
  { work, texts, embedding, interaction, ranking, reading, knownWords }: Outcome,
): ModelCard {
  return {
    data: describeTrainingData(corpora, data.developmentTexts),
    leftOut: options.leaveOut ?? [],
    initialVectors:
      vectorsHash === null
        ? null
        : { file: basename(options.initialVectors!), sha256: vectorsHash, words: knownWords },
    base: base && { name: base.name, sha256: base.sha256 },
    recipe,
    seed: options.seed ?? 1,
    versions: {
      audition: options.version,
      node: process.versions.node,
      'word splitting': String(wordSplitVersion),
      analyzer: String(analyzerVersion),
    },
    seconds: Object.fromEntries(work.seconds),
    embedding: {
      supervisedPairs: texts.supervised.length,
      selfSupervisedPairs: texts.selfSupervised.length,
      losses: embedding.losses,
      heldOutQueries: embedding.heldOut,
      heldOutNdcg10: embedding.validation,
      scale: Math.exp(embedding.scale),
    },
    interaction: interaction && { losses: interaction.losses },
    ranker: ranking?.ranker ?? null,
    answers: ranking?.answers ?? null,
    ...(reading && readers
      ? { reader: readerOf(reading, readers) }
      : base?.readerCard
        ? { reader: base.readerCard }
        : {}),
    results: {},
  }
}

type CardOptions = Pick<TrainOptions, 'leaveOut' | 'initialVectors' | 'seed'> & { readonly version: string }

const readerOf = (
  { ranker, answers }: TrainedRanking,
  { name, sha256, parts }: TrainingReaders,
): NonNullable<ModelCard['reader']> => ({
  name,
  sha256,
  ranker,
  answers,
  parts: parts.map((one) => one.sha256),
})
