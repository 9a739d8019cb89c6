import { createReadStream, existsSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { quantise } from '../embedding/quantise.ts'
import { openVocabulary, packVocabulary } from '../embedding/packed-vocabulary.ts'
import { wordSplitVersion } from '../embedding/split-words.ts'
import { staticEmbedding } from '../embedding/static-embedding.ts'
import { type Vocabulary, vocabularyOf } from '../embedding/vocabulary.ts'
import { analyzerVersion } from '../retrieval/analyze.ts'
import { textsOf } from '../retrieval/card-texts.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { countWords } from './count-words.ts'
import { capSets } from './data/cap-sets.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import { describeTrainingData } from './data/describe-training-data.ts'
import { fingerprintData } from './data/fingerprint-data.ts'
import { readTrainingCorpora, type TrainingData } from './data/read-training-corpora.ts'
import type { OnProblem } from './data/record-lines.ts'
import { dealFolds, type Folds, noFolds } from './folds.ts'
import { learnVocabulary } from './learn-vocabulary.ts'
import { type BaseModel, baseStart, openBaseModel } from './model/base-model.ts'
import type { ModelCard } from './model/model-card.ts'
import { openWorkFolder, refuseExisting, type WorkFolder } from './model/work-folder.ts'
import { writeModel } from './model/write-model.ts'
import { packRows, unpackRows } from './ranker/packed-rows.ts'
import type { GradedQuery } from './ranker/ranked-corpus.ts'
import { rankerRows } from './ranker/ranker-rows.ts'
import { trainRanker } from './ranker/train-ranker.ts'
import { adaptationRecipe, defaultRecipe, type TrainingRecipe, trainingRecipe } from './recipe.ts'
import { freshStart, type StartWeights } from './start-weights.ts'
import { type EmbeddingProgress, type TrainedEmbedding, trainEmbedding } from './train-embedding.ts'
import { TrainingError, TrainingStoppedError } from './training-error.ts'
import { type TrainingTexts, trainingTexts } from './training-texts.ts'
import { readWordVectors } from './word-vectors/read-word-vectors.ts'
import { removeCommon } from './word-vectors/remove-common.ts'

export type TrainingStage =
  | 'data'
  | 'vocabulary'
  | 'texts'
  | 'vectors'
  | 'folds'
  | 'embedding'
  | 'rows'
  | 'ranker'

/** How far a training is. */
export type TrainingProgress = {
  readonly stage: TrainingStage
  /** What is being done, in words. */
  readonly what: string
  /** Of what is being done, 0..1. */
  readonly share: number
  /** While an embedding is trained. */
  readonly embedding?: EmbeddingProgress
}

export type TrainModelOptions = {
  /** Folders as for `readTrainingCorpora`; at least one. */
  readonly data: readonly string[]
  /** Folder to be made; its name is the model's. */
  readonly out: string
  /** Folder of a model to adapt. */
  readonly from?: string
  /** File of word vectors to start from. */
  readonly initialVectors?: string
  /** Families of sets to leave out. */
  readonly leaveOut?: readonly string[]
  /** Differences from the default recipe. */
  readonly recipe?: Partial<TrainingRecipe>
  /** @defaultValue 1 */
  readonly seed?: number
  /** Changes how long it takes and nothing else. @defaultValue as many as the machine has, at most 16 */
  readonly threads?: number
  /** Of this package, for the model card. */
  readonly version: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: TrainingProgress) => void
  /** Told of damaged lines and the like in the data. */
  readonly onProblem?: OnProblem
}

export type TrainedModel = {
  readonly name: string
  readonly folder: string
  readonly card: ModelCard
}

/**
 * Trains a model, or adapts one, and writes its folder: `model.json`, `weights.bin`, `ranker.bin`, `README.md`. What is
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
  const { data, corpora } = await readData(options, recipe, seed)
  const vectorsHash = options.initialVectors === undefined ? null : await hashOfFile(options.initialVectors)
  await mkdir(dirname(out), { recursive: true })
  const work = await openWorkFolder(out, {
    data: fingerprintData(data),
    recipe: JSON.stringify(recipe),
    seed: String(seed),
    version: options.version,
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
  { base, recipe, data, corpora, vectorsHash }: Prepared,
): Promise<TrainedModel> {
  const { out, onProgress = () => {}, seed = 1, signal } = options
  const tell = (stage: TrainingStage, what: string) => (share: number) => onProgress({ stage, what, share })

  const vocabulary =
    base?.weights.vocabulary ??
    (await work.timed('vocabulary', () => learned(corpora, work, recipe, tell('vocabulary', 'vocabulary'))))
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

  const graded = base === null ? await outOfFold(training) : []
  const embedding = await work.timed('embedding', () =>
    trained(training, { stage: 'embedding', what: 'embedding', file: 'embedding.checkpoint', seed, texts }),
  )
  const ranker =
    base === null
      ? await work.timed('ranker', () => {
          const told = tell('ranker', 'ranker')
          told(0)
          return trainRanker(graded, {
            recipe: recipe.ranker,
            seed,
            onTree: ({ tree }) => told(tree / recipe.ranker.trees),
          })
        })
      : null
  const card: ModelCard = {
    data: describeTrainingData(corpora, data.developmentTexts),
    leftOut: options.leaveOut ?? [],
    initialVectors:
      vectors === null || vectorsHash === null
        ? null
        : { file: basename(options.initialVectors!), sha256: vectorsHash, words: vectors.size },
    base: base && { name: base.name, sha256: base.sha256 },
    recipe,
    seed,
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
    ranker: ranker && {
      trees: ranker.trees,
      queries: ranker.queries,
      rows: ranker.rows,
      heldOutNdcg10: ranker.validation,
    },
    results: {},
  }
  const name = basename(out)
  const weights = quantise(embedding.weights)
  await writeModel(work.file('model'), { name, weights, ranker: ranker ?? base!.ranker, card })
  await work.finish('model')
  return { name, folder: out, card }
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
  recipe: TrainingRecipe,
  seed: number,
): Promise<{ readonly data: TrainingData; readonly corpora: readonly TrainingCorpus[] }> {
  options.onProgress?.({ stage: 'data', what: 'reading data', share: 0 })
  const { signal, onProblem } = options
  const data = await readTrainingCorpora(options.data, {
    leaveOutFamilies: options.leaveOut ?? [],
    ...(onProblem === undefined ? {} : { onProblem }),
    ...(signal === undefined ? {} : { signal }),
  })
  const corpora = data.corpora.map((corpus) => capSets(corpus, recipe.queriesPerSet, seed))
  if (corpora.every(({ queries }) => queries.length === 0))
    throw new TrainingError(
      `${options.data.join(', ')}: there are cards, but no query to learn from.`,
      'Add queries with the ids of the cards they ask for.',
    )
  return { data, corpora }
}

async function learned(
  corpora: readonly TrainingCorpus[],
  work: WorkFolder,
  recipe: TrainingRecipe,
  tell: (share: number) => void,
): Promise<Vocabulary> {
  const file = work.file('vocabulary.bin')
  if (existsSync(file)) {
    try {
      return openVocabulary(await readFile(file))
    } catch (cause) {
      const remedy = 'Remove this file and call the same command again.'
      throw new TrainingError(`${file}: is damaged.`, remedy, { cause })
    }
  }
  tell(0)
  const tokens = learnVocabulary(countWords(allTexts(corpora)), recipe.vocabulary, {
    minimumCount: recipe.minimumCount,
    onProgress: (step, share) => tell(step === 'pieces' ? share / 2 : (1 + share) / 2),
  })
  const vocabulary = vocabularyOf(tokens)
  await writeFile(`${file}.part`, packVocabulary(vocabulary))
  await rename(`${file}.part`, file)
  return vocabulary
}

function* allTexts(corpora: readonly TrainingCorpus[]): Iterable<string> {
  for (const { cards, queries } of corpora) {
    for (const card of cards) yield* Object.values(textsOf(card))
    for (const { text } of queries) yield text
  }
}

type Training = {
  readonly work: WorkFolder
  readonly corpora: readonly TrainingCorpus[]
  readonly recipe: TrainingRecipe
  readonly vocabulary: Vocabulary
  readonly folds: Folds
  readonly texts: TrainingTexts
  readonly start: StartWeights
  readonly seed: number
  readonly threads: number
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: TrainingProgress) => void
}

type Part = {
  readonly stage: TrainingStage
  readonly what: string
  readonly file: string
  readonly seed: number
  readonly texts: TrainingTexts
}

const trained = (
  { work, recipe, vocabulary, start, threads, signal, onProgress }: Training,
  { stage, what, file, seed, texts }: Part,
): Promise<TrainedEmbedding> =>
  trainEmbedding({
    vocabulary,
    texts,
    recipe,
    start,
    seed,
    threads,
    checkpoint: work.file(file),
    signal,
    onProgress: (embedding) =>
      onProgress({ stage, what, share: embedding.step / embedding.steps, embedding }),
  })

/** Rows for the ranker from every fold, each by an embedding that has not seen it. */
async function outOfFold(training: Training): Promise<readonly GradedQuery[]> {
  const { work, folds, recipe, seed, onProgress } = training
  const graded: GradedQuery[] = []
  for (let fold = 0; fold < folds.count; fold += 1) {
    const number = `${fold + 1} of ${folds.count}`
    const file = work.file(`rows-${fold + 1}.checkpoint`)
    const before = await readCheckpoint(file)
    if (before !== null) {
      graded.push(...unpackRows(before))
      continue
    }
    const { weights } = await work.timed('folds', () =>
      trained(training, {
        stage: 'folds',
        what: `fold ${number}`,
        file: `fold-${fold + 1}.checkpoint`,
        seed: seed + fold + 1,
        texts: withoutFold(training.texts, fold),
      }),
    )
    const rows = await work.timed('rows', () =>
      rankerRows({
        ...training,
        fold,
        embedding: staticEmbedding(quantise(weights)),
        most: recipe.rankerQueries,
        onProgress: (share) => onProgress({ stage: 'rows', what: `candidates of fold ${number}`, share }),
      }),
    )
    await writeCheckpoint(file, packRows(rows))
    await rm(work.file(`fold-${fold + 1}.checkpoint`), { force: true })
    graded.push(...rows)
  }
  return graded
}

const withoutFold = (texts: TrainingTexts, fold: number): TrainingTexts => ({
  ...texts,
  supervised: texts.supervised.filter((pair) => pair.fold !== fold),
  selfSupervised: texts.selfSupervised.filter((pair) => pair.fold !== fold),
  heldOut: texts.heldOut.filter((query) => query.fold !== fold),
})

async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  } catch (cause) {
    throw new TrainingError(`${file}: cannot be read.`, 'Give a file of word vectors.', { cause })
  }
  return hash.digest('hex')
}
