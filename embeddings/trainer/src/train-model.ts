import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { quantise } from '../../../src/vectors/embedding/quantise.ts'
import type { StaticWeights } from '../../../src/vectors/embedding/static-embedding.ts'
import { quantiseVectors } from '../../../src/vectors/embedding/token-vectors.ts'
import { wordSplitVersion } from '../../../src/vectors/embedding/split-words.ts'
import { analyzerVersion } from '../../../src/retrieval/text/analyze.ts'
import { answerFeatureNames } from '../../../src/retrieval/rank/answer-features.ts'
import { featureNames } from '../../../src/retrieval/rank/candidate-features.ts'
import { packTrees } from '../../../src/retrieval/rank/packed-trees.ts'
import type {
  TrainedModel as TrainedFolder,
  TrainingStage,
  TrainOptions,
} from '../../../src/compose/trainer.ts'
import { corpusVocabulary } from './corpus-vocabulary.ts'
import { capSets } from './data/cap-sets.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import { describeTrainingData } from './data/describe-training-data.ts'
import { fingerprintData } from './data/fingerprint-data.ts'
import { readTrainingCorpora, type TrainingData } from './data/read-training-corpora.ts'
import { dealFolds, noFolds } from './folds.ts'
import { type BaseModel, baseStart, openBaseModel } from './model/base-model.ts'
import type { ModelCard } from './model/model-card.ts'
import type { TrainedInteraction } from './interaction/train-interaction.ts'
import { openWorkFolder, refuseExisting, type WorkFolder } from './model/work-folder.ts'
import { type PackedRanker, sha256Of, writeModel } from './model/write-model.ts'
import { interactionOf, noRows, outOfFoldRows, type Training, trainPart } from './out-of-fold-rows.ts'
import { type BoostedTrees, boostedTrees } from '../../../src/retrieval/rank/boosted-trees.ts'
import { type TrainedAnswers, trainAnswers } from './ranker/train-answers.ts'
import type { GradedQuery } from './ranker/ranked-corpus.ts'
import { type TrainedRanker, trainRanker } from './ranker/train-ranker.ts'
import { adaptationRecipe, defaultRecipe, type TrainingRecipe, trainingRecipe } from './recipe.ts'
import { freshStart } from './start-weights.ts'
import type { TrainedEmbedding } from './train-embedding.ts'
import { TrainingError, TrainingStoppedError } from './training-error.ts'
import { type TrainingTexts, trainingTexts } from './training-texts.ts'
import { readWordVectors } from './word-vectors/read-word-vectors.ts'
import { removeCommon } from './word-vectors/remove-common.ts'

export type TrainModelOptions = Omit<TrainOptions, 'recipe'> & {
  /** Differences from the default recipe. */
  readonly recipe?: Partial<TrainingRecipe>
  /** Of Audition, for the model card. */
  readonly version: string
}

export type TrainedModel = TrainedFolder & { readonly card: ModelCard }

/**
 * Trains a model, or adapts one, and writes its folder: `model.json`, `weights.bin`, `interaction.bin`, `ranker.bin`, `answers.bin`, `README.md`. What is
 * done lies beside it in `<out>.training` until all is; after an interruption the same call goes on from there and gives
 * the same weights.
 *
 * @throws TrainingError for options, files or data that training cannot work with
 * @throws DatasetError for folders that hold no data
 * @throws TrainingStoppedError when the signal is aborted; its reason, when nothing was done yet
 */
export async function trainModel(options: TrainModelOptions): Promise<TrainedModel> {
  const { seed = 1, signal } = options
  const out = resolve(options.out)
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(basename(out)))
    throw new TrainingError(
      `"${basename(out)}" cannot be the name of a model.`,
      'Let the folder of --out have letters, digits, ".", "_" and "-" only, and start with a letter or digit.',
    )
  await refuseExisting(out)
  const base = options.from === undefined ? null : await openBaseModel(resolve(options.from))
  if (base !== null && options.initialVectors !== undefined)
    throw new TrainingError('A model that is adapted starts from its own vectors.', 'Leave out one of both.')
  const recipe = recipeOf(options, base)
  const { data, corpora } = await readData(options, { recipe, seed, base })
  const vectorsHash = options.initialVectors === undefined ? null : await hashOfFile(options.initialVectors)
  await mkdir(dirname(out), { recursive: true })
  const work = await openWorkFolder(out, {
    data: fingerprintData(data),
    recipe: JSON.stringify(recipe),
    seed: String(seed),
    version: `${options.version}, word splitting ${wordSplitVersion}, analyzer ${analyzerVersion}`,
    'features of the ranker': sha256Of([...featureNames, ...answerFeatureNames].join()),
    'initial vectors': vectorsHash ?? 'none',
    'adapted model': base?.sha256 ?? 'none',
  })
  try {
    return await trainedIn(work, { ...options, out }, { base, recipe, data, corpora, vectorsHash })
  } catch (error) {
    if (!signal?.aborted) throw error
    throw new TrainingStoppedError(work.path, { cause: error })
  }
}

type Prepared = {
  readonly base: BaseModel | null
  readonly recipe: TrainingRecipe
  readonly data: TrainingData
  /** Those of the data, with as many queries as are trained on. */
  readonly corpora: readonly TrainingCorpus[]
  /** SHA-256 of the file of word vectors. */
  readonly vectorsHash: string | null
}

async function trainedIn(
  work: WorkFolder,
  options: TrainModelOptions,
  prepared: Prepared,
): Promise<TrainedModel> {
  const { base, recipe, data, corpora } = prepared
  const { out, onProgress = () => {}, seed = 1, signal } = options
  const tell = (stage: TrainingStage, what: string) => (share: number) => onProgress({ stage, what, share })

  const vocabulary =
    base?.weights.vocabulary ??
    (await work.timed('vocabulary', () =>
      corpusVocabulary(corpora, work.file('vocabulary.bin'), recipe, tell('vocabulary', 'vocabulary')),
    ))
  const folds = base === null ? dealFolds(corpora, recipe.folds) : noFolds
  const texts = await work.timed('texts', () =>
    trainingTexts({
      corpora,
      vocabulary,
      recipe,
      folds,
      developmentTexts: data.developmentTexts,
      seed,
      signal,
      onProgress: tell('texts', 'texts and hard negatives'),
    }),
  )
  const vectors =
    options.initialVectors === undefined
      ? null
      : await work.timed('vectors', async () => {
          tell('vectors', 'word vectors')(0)
          return removeCommon(
            await readWordVectors(options.initialVectors!, new Set(vocabulary.tokens), signal),
          )
        })
  const start = base === null ? freshStart({ vocabulary, recipe, wordVectors: vectors }) : baseStart(base)
  const threads = options.threads ?? Math.min(16, availableParallelism())
  const training: Training = {
    work,
    corpora,
    recipe,
    vocabulary,
    folds,
    texts,
    start,
    seed,
    threads,
    signal,
    onProgress,
  }

  const { forRanker: graded, forVerdict } = base === null ? await outOfFoldRows(training) : noRows
  const embedding = await work.timed('embedding', () =>
    trainPart(training, { stage: 'embedding', what: 'embedding', file: 'embedding.checkpoint', seed }),
  )
  const interaction =
    base === null ? await interactionOf(training, { weights: embedding.weights, what: 'all', seed }) : null
  const ranker =
    base === null
      ? await work.timed('ranker', () => {
          const told = tell('ranker', 'ranker')
          told(0)
          return trainRanker(graded, {
            recipe: recipe.ranker,
            seed,
            signal,
            onTree: ({ tree }) => told(tree / recipe.ranker.trees),
          })
        })
      : null
  const answers =
    ranker &&
    (await work.timed('answers', () => {
      tell('answers', 'answers')(0)
      return trainAnswers([...graded, ...forVerdict], {
        ranker: boostedTrees(ranker.model),
        rankerWithout: (families) => rankerWithout(graded, families, { recipe, seed, signal }),
        seed,
        signal,
      })
    }))
  const packed: PackedRanker = ranker
    ? {
        bytes: packTrees(ranker.model),
        calibration: ranker.calibration,
        answers: answers && { bytes: answers.bytes, thresholds: answers.thresholds },
      }
    : base!.ranker
  const knownWords = vectors?.size ?? 0
  const card = cardOf(options, prepared, { work, texts, embedding, interaction, ranker, answers, knownWords })
  const name = basename(out)
  const weights = {
    ...quantise(embedding.weights),
    ...(interaction ? { interaction: quantiseVectors(interaction.vectors) } : keptInteraction(base)),
  }
  await writeModel(work.file('model'), { name, weights, ranker: packed, card })
  await work.finish('model')
  return { name, folder: out, card }
}

/** What an adapted model matches words by; those trained before there were such vectors use the embedding's. */
const keptInteraction = (base: BaseModel | null): Pick<StaticWeights, 'interaction'> =>
  base?.weights.interaction ? { interaction: base.weights.interaction } : {}

/** One query of so many trains the rankers that only tell how sure answers are. */
const withoutStride = 2

/** A ranker that has seen nothing of some families; null when no other is left. */
async function rankerWithout(
  graded: readonly GradedQuery[],
  families: ReadonlySet<string>,
  { recipe, seed, signal }: { recipe: TrainingRecipe; seed: number; signal: AbortSignal | undefined },
): Promise<BoostedTrees | null> {
  const others = graded.filter(({ asked }) => !families.has(asked.family))
  const some = others.filter((_, place) => place % withoutStride === 0)
  if (some.length === 0) return null
  return boostedTrees((await trainRanker(some, { recipe: recipe.ranker, seed, signal })).model)
}

type Outcome = {
  readonly work: WorkFolder
  readonly texts: TrainingTexts
  readonly embedding: TrainedEmbedding
  /** Null when the adapted model's is kept, as its ranker learned from it. */
  readonly interaction: TrainedInteraction | null
  /** Null when the adapted model's is kept. */
  readonly ranker: TrainedRanker | null
  readonly answers: TrainedAnswers | null
  /** Tokens that the word vectors know. */
  readonly knownWords: number
}

function cardOf(
  options: TrainModelOptions,
  { base, recipe, data, corpora, vectorsHash }: Prepared,
  { work, texts, embedding, interaction, ranker, answers, knownWords }: Outcome,
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
    ranker: ranker && {
      trees: ranker.trees,
      queries: ranker.queries,
      rows: ranker.rows,
      heldOutNdcg10: ranker.validation,
    },
    answers: answers && {
      trees: answers.trees,
      queries: answers.queries,
      leftOut: answers.leftOut,
    },
    results: {},
  }
}

function recipeOf({ recipe = {} }: TrainModelOptions, base: BaseModel | null): TrainingRecipe {
  if (base === null) return trainingRecipe(recipe, defaultRecipe)
  for (const [name, settled] of Object.entries(base.recipe)) {
    const given = recipe[name as keyof typeof base.recipe]
    if (given !== undefined && JSON.stringify(given) !== JSON.stringify(settled))
      throw new TrainingError(
        `"${name}" is ${JSON.stringify(given)}, but the model that is adapted has ${JSON.stringify(settled)}.`,
        'Leave it out, or train without --from.',
      )
  }
  return trainingRecipe({ ...recipe, ...base.recipe }, adaptationRecipe)
}

async function readData(
  options: TrainModelOptions,
  { recipe, seed, base }: { recipe: TrainingRecipe; seed: number; base: BaseModel | null },
): Promise<{ readonly data: TrainingData; readonly corpora: readonly TrainingCorpus[] }> {
  options.onProgress?.({ stage: 'data', what: 'reading data', share: 0 })
  const { signal, onProblem } = options
  const data = await readTrainingCorpora(options.data, {
    leaveOutFamilies: options.leaveOut ?? [],
    ...(onProblem === undefined ? {} : { onProblem }),
    ...(signal === undefined ? {} : { signal }),
  })
  const corpora = data.corpora.map((corpus) =>
    capSets(corpus, { perSet: recipe.queriesPerSet, perCard: recipe.queriesPerCard }, seed),
  )
  // A model may be adapted to cards alone: they are paired with parts of themselves.
  if (base === null && corpora.every(({ queries }) => queries.length === 0))
    throw new TrainingError(
      `${options.data.join(', ')}: there are cards, but no query to learn from.`,
      'Add queries with the ids of the cards they ask for.',
    )
  return { data, corpora }
}

async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  } catch (cause) {
    throw new TrainingError(`${file}: cannot be read.`, 'Give a file of word vectors.', { cause })
  }
  return hash.digest('hex')
}
