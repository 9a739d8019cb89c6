import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import type {
  TrainedModel as TrainedFolder,
  TrainingStage,
  TrainOptions,
} from '../../../src/compose/parts/trainer.ts'
import { answerFeatureNames } from '../../../src/retrieval/rank/answer-features.ts'
import { featureNames } from '../../../src/retrieval/rank/candidate-features.ts'
import { analyzerVersion } from '../../../src/retrieval/text/analyze.ts'
import { wordSplitVersion } from '../../../src/vectors/embedding/split-words.ts'
import { quantise, type StaticWeights } from '../../../src/vectors/embedding/static-embedding.ts'
import { type LearnedVectors, quantiseVectors } from '../../../src/vectors/embedding/token-vectors.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { corpusVocabulary } from './corpus-vocabulary.ts'
import { capSets } from './data/cap-sets.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import { fingerprintData } from './data/fingerprint-data.ts'
import { readTrainingCorpora, type TrainingData } from './data/read-training-corpora.ts'
import { dealFolds, noFolds } from './folds.ts'
import type { TrainedInteraction } from './interaction/train-interaction.ts'
import { type BaseModel, baseStart, openBaseModel } from './model/base-model.ts'
import { cardOf, type Prepared } from './model/card-of.ts'
import type { ModelCard } from './model/model-card.ts'
import { openWorkFolder, refuseExisting, type WorkFolder } from './model/work-folder.ts'
import { sha256Of, writeModel } from './model/write-model.ts'
import { outOfFoldReadings } from './reading/readings.ts'
import { openTrainingReaders, type TrainingReaders } from './reading/training-readers.ts'
import { adaptationRecipe, defaultRecipe, type TrainingRecipe, trainingRecipe } from './recipe.ts'
import { freshStart } from './start-weights.ts'
import { type TrainedRanking, trainRanking } from './train-ranking.ts'
import { interactionOf, type Training, trainPart } from './training.ts'
import { TrainingError, TrainingStoppedError } from './training-error.ts'
import { trainingTexts } from './training-texts.ts'
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
 * Trains a model, or adapts one, and writes its folder: `model.json`, `weights.bin`, `interaction.bin`, `ranker.bin`, `answers.bin`, `README.md`;
 * with a reader also `reader`, `reading-ranker.bin` and `reading-answers.bin`. What is done lies beside it in `<out>.training` until all is; after an interruption the same call goes on from there and gives
 * the same weights.
 *
 * @throws TrainingError for options, files or data that training cannot work with
 * @throws DatasetError for folders that hold no data
 * @throws TrainingStoppedError when the signal is aborted (its reason, when nothing was done yet), and where `prepare` ends
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
  if (base !== null && options.reader !== undefined)
    throw new TrainingError('A model that is adapted keeps its own reader.', 'Leave out one of both.')
  const recipe = recipeOf(options, base)
  const threads = options.threads ?? Math.min(16, availableParallelism())
  const readers =
    options.reader === undefined ? null : await openTrainingReaders(resolve(options.reader), threads)
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
    const prepared = { base, recipe, data, corpora, vectorsHash, readers }
    return await trainedIn(work, { ...options, out, threads }, prepared)
  } catch (error) {
    if (!signal?.aborted) throw error
    throw new TrainingStoppedError(work.path, { cause: error })
  } finally {
    await readers?.close()
  }
}

async function trainedIn(
  work: WorkFolder,
  options: TrainModelOptions & { readonly threads: number },
  prepared: Prepared,
): Promise<TrainedModel> {
  const { base, recipe, data, corpora, readers } = prepared
  const { out, threads, onProgress = () => {}, seed = 1, signal } = options
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

  // In this order, so that all that needs no reader is done first.
  const ranking = base === null ? await trainRanking(training, null) : null
  const embedding = await work.timed('embedding', () =>
    trainPart(training, { stage: 'embedding', what: 'embedding', file: 'embedding.checkpoint', seed }),
  )
  const interaction = base === null ? await wholeInteraction(training, embedding.weights) : null
  if (options.prepare) throw new TrainingStoppedError(work.path)
  const reading = readers && (await trainReading(training, readers))
  const knownWords = vectors?.size ?? 0
  const card = cardOf(options, prepared, {
    work,
    texts,
    embedding,
    interaction,
    ranking,
    reading,
    knownWords,
  })
  const name = basename(out)
  const weights = {
    ...quantise(embedding.weights),
    ...(interaction ? { interaction: quantiseVectors(interaction.vectors) } : keptInteraction(base)),
  }
  await writeModel(work.file('model'), {
    name,
    weights,
    card,
    ranker: ranking?.packed ?? base!.ranker,
    reader: reading
      ? { folder: readers!.folder, sha256: readers!.sha256, ranker: reading.packed }
      : (base?.reader ?? null),
  })
  await work.finish('model')
  return { name, folder: out, card }
}

/** What an adapted model matches words by; those trained before there were such vectors use the embedding's. */
const keptInteraction = (base: BaseModel | null): Pick<StaticWeights, 'interaction'> =>
  base?.weights.interaction ? { interaction: base.weights.interaction } : {}

/** The vectors by which a search matches words; kept once they are trained. */
async function wholeInteraction(training: Training, weights: LearnedVectors): Promise<TrainedInteraction> {
  const file = training.work.file('interaction.checkpoint')
  const before = await readCheckpoint(file)
  if (before !== null) {
    const { facts, arrays } = before
    const { table, queryWeights, documentWeights } = arrays
    const dimensions = Number(facts.dimensions)
    return {
      vectors: { dimensions, table: table!, queryWeights: queryWeights!, documentWeights: documentWeights! },
      losses: facts.losses as readonly number[],
    }
  }
  const trained = await interactionOf(training, { weights, what: 'all', seed: training.seed })
  const { dimensions, ...arrays } = trained.vectors
  await writeCheckpoint(file, { facts: { dimensions, losses: [...trained.losses] }, arrays })
  return trained
}

/** The ranker that looks at what readers read. */
async function trainReading(training: Training, readers: TrainingReaders): Promise<TrainedRanking> {
  const readings = outOfFoldReadings(readers, training.work.file)
  try {
    return await trainRanking(training, readings)
  } finally {
    readings.close()
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
