import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { packageRoot } from '../package-root.ts'
import type { WriterSurroundings } from '../adapters/ai-sdk/judge/ask-within.ts'
import type { LanguageModelSettings } from '../adapters/ai-sdk/models/language-model.ts'
import type { CardEnricher } from '../indexing/enrich-cards.ts'
import type { JudgePanel } from '../probing/judges/combine-judges.ts'
import type { Judge } from '../probing/ports.ts'
import { EmbeddingModelError } from '../retrieval/rank/embedding-model-error.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'
import type { TaskWriter } from '../tasks/ports.ts'
import type { ReadWeights } from '../vectors/weight-file.ts'
import { languageModelOf } from './language-models.ts'
import { sendTo } from './open-reranker.ts'

/** The model that ships with the package: a static embedding, a reader beside it, and their rankers. */
export const builtInModel = join(packageRoot, 'embeddings', 'audition-1')

/**
 * The model that makes vectors, as configured; null where search goes by words alone.
 *
 * @param fetch - the way to a hub, where a download is allowed
 * @throws EmbeddingModelError when it cannot be loaded
 */
export const modelOf = async (...asked: Parameters<typeof unaskedModelOf>): Promise<EmbeddingModel | null> =>
  readyModel(await unaskedModelOf(...asked))

/**
 * A model that knows how long its vectors are.
 *
 * @param stored - how long those of the store are
 * @throws EmbeddingModelError when a service that has to be asked for it cannot be, or makes others
 */
export async function readyModel(
  model: EmbeddingModel | null,
  stored?: number,
): Promise<EmbeddingModel | null> {
  await model?.service?.ready({ stored })
  return model
}

/** As {@link modelOf}, but nothing is sent to a service: before somebody agreed to it. */
export async function unaskedModelOf(
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): Promise<EmbeddingModel | null> {
  if (config.model === 'none') return null
  if (config.model === null || config.model.startsWith('static:')) {
    return modelOfFolder(
      config.model === null ? builtInModel : resolve(config.model.slice('static:'.length)),
      config,
    )
  }
  if (config.model.startsWith('reader:')) {
    const { readerModel } = await import('../adapters/reader-model/with-reader.ts')
    return readerModel(resolve(config.model.slice('reader:'.length)))
  }
  if (config.model.startsWith('embed:')) return modelOfService(config.model.slice('embed:'.length), config)
  const { isTransformersSpec, settingsOfSpec } = await import('../adapters/transformers/files/model-id.ts')
  if (!isTransformersSpec(config.model)) {
    throw new EmbeddingModelError(
      `AUDITION_MODEL is "${config.model}", which no adapter knows.`,
      'Write transformers:<folder or hub id>, embed:<address>#<model>, reader:<folder> or static:<folder>, none to search by words alone, or unset it for the built-in model; for example embed:openai#text-embedding-3-small.',
    )
  }
  const { transformersOptions } = await import('../adapters/transformers/files/options.ts')
  const { transformersModel } = await import('../adapters/transformers/transformers-models.ts')
  return transformersModel(
    transformersOptions(settingsOfSpec(config.model), {
      cacheDir: join(config.downloads ?? config.cache, 'models'),
    }),
    { fetch },
  )
}

/** What of the configuration tells the model. */
type ModelConfig = Pick<Config, 'model' | 'modelKey' | 'cache' | 'downloads' | 'reader'> &
  Partial<Pick<Config, 'home' | 'settings'>> & {
    /** Gives files of the built-in model's kind. @defaultValue they are read */
    readonly readWeights?: ReadWeights
  }

/** A model that others run. Cards may be sent again that got lost on the way: without them there is no index. */
async function modelOfService(line: string, config: ModelConfig): Promise<EmbeddingModel> {
  const [{ embedOptions }, { embedApi }, { costOf }, { readSettings }] = await Promise.all([
    import('../adapters/embed-api/options.ts'),
    import('../adapters/embed-api/embed-api.ts'),
    import('../adapters/ai-sdk/models/callable-models.ts'),
    import('../probing/settings/settings-file.ts'),
  ])
  const options = embedOptions(line, config.modelKey)
  const { base, model, seconds } = options
  const { prices } = config.settings === undefined ? { prices: {} } : await readSettings(config.settings)
  const named = { provider: 'embed', model }
  return embedApi(options, {
    key: config.modelKey,
    folder: join(config.cache, 'vectors'),
    store: config.home ?? '',
    send: {
      query: await sendTo(base, { longestWaitMs: seconds * 1000 }),
      document: await sendTo(base, { sends: 6, longestWaitMs: 300_000, lost: 'again' }),
    },
    costOf: (tokens) => costOf({ input: tokens, output: 0 }, { spec: config.model ?? '', named, prices }),
  })
}

/** A static embedding, with its reader where it has one that is not switched off. */
async function modelOfFolder(
  folder: string,
  { cache, reader: isOn, readWeights: read }: ModelConfig,
): Promise<EmbeddingModel> {
  const { modelParts } = await import('../adapters/static-model/static-model.ts')
  const { plain, reader, ranker } = await modelParts(folder, read)
  if (reader === null || isOn === null) return plain
  const { withReader } = await import('../adapters/reader-model/with-reader.ts')
  return withReader(plain, { ...reader, ranker, readings: join(cache, 'readings'), read, ...isOn })
}

/**
 * The judges of answers: by a known answer, and by a language model where one is configured.
 *
 * @param gradings - times that the model grades each answer
 */
export async function judgesOf(config: Config, gradings: number): Promise<JudgePanel> {
  const [{ combineJudges }, { referenceJudge }] = await Promise.all([
    import('../probing/judges/combine-judges.ts'),
    import('../probing/judges/reference-judge.ts'),
  ])
  const [model = null] = await modelJudgesOf(config, gradings)
  return combineJudges({ reference: referenceJudge(), model })
}

/** A judge for each language model that is configured, the first choice first. */
export async function modelJudgesOf(config: Config, gradings: number): Promise<readonly Judge[]> {
  const languageModel = await languageModelOf(config)
  if (languageModel === null) return []
  const [{ llmJudge }, { controlledJudge }] = await Promise.all([
    import('../adapters/ai-sdk/judge/llm-judge.ts'),
    import('../probing/judges/controlled-judge.ts'),
  ])
  const { others = [], ...first } = languageModel
  return [first, ...others].map((model) =>
    controlledJudge(llmJudge(model, { repeats: gradings }), llmJudge(model)),
  )
}

/** What writes tasks; null when no language model is configured. */
export async function taskWriterOf(config: Config): Promise<TaskWriter | null> {
  const languageModel = await languageModelOf(config)
  if (languageModel === null) return null
  const { taskWriter } = await import('../adapters/ai-sdk/judge/task-writer.ts')
  return taskWriter(languageModel, await surroundingsOf(languageModel, config))
}

/** What writes of thin cards. @throws LanguageModelError when no language model is configured */
export async function enricherOf(config: Config): Promise<CardEnricher> {
  const languageModel = await languageModelOf(config)
  const [{ cardEnricher }, { LanguageModelError }] = await Promise.all([
    import('../adapters/ai-sdk/judge/card-enricher.ts'),
    import('../evaluation/evaluation-settings.ts'),
  ])
  if (languageModel === null)
    throw new LanguageModelError(
      'No language model is configured to enrich cards.',
      'Set AUDITION_LLM, for example AUDITION_LLM=ollama:qwen3:8b.',
    )
  return cardEnricher(languageModel, await surroundingsOf(languageModel, config))
}

/** The way to a model that writes, and what its tokens cost. */
async function surroundingsOf(
  languageModel: LanguageModelSettings,
  config: Config,
): Promise<WriterSurroundings> {
  const [{ checkedModel }, { costOf }, { readSettings }] = await Promise.all([
    import('../adapters/ai-sdk/models/language-model.ts'),
    import('../adapters/ai-sdk/models/callable-models.ts'),
    import('../probing/settings/settings-file.ts'),
  ])
  const named = checkedModel(languageModel)
  const { prices } = await readSettings(config.settings)
  return {
    send: await sendTo(named.baseUrl, { sends: 6, longestWaitMs: 300_000 }),
    costOf: (tokens) => costOf(tokens, { spec: languageModel.spec, named, prices }),
  }
}
