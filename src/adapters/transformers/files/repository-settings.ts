import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'
import { isJsonObject, type JsonObject } from '../../../domain/json.ts'
import type { Pooling } from './options.ts'

/** Files in which a repository says how its vectors are to be made, as sentence-transformers writes them. */
export const settingsFiles = [
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'sentence_bert_config.json',
  'modules.json',
] as const

/** What a repository says of itself; what it leaves out is absent. */
type RepositorySettings = {
  readonly pooling?: Pooling
  readonly queryPrefix?: string
  readonly documentPrefix?: string
  readonly maxTokens?: number
}

/** Longest input that is taken over: cards are short, and time grows faster than length. */
const mostTokens = 512
const leastTokens = 8

/**
 * Reads how a model wants to be used from the files beside its weights: how tokens are pooled, what stands before a query and a
 * document, and how much it reads.
 *
 * @param stated - settings that the user wrote, for which nothing has to be known here
 * @throws EmbeddingModelError when it pools in a way that is not known here, or a file is no JSON object
 */
export async function repositorySettings(
  folder: string,
  stated: readonly string[] = [],
): Promise<RepositorySettings> {
  const [poolingFile, promptsFile, lengthsFile, modulesFile] = settingsFiles
  const objectIn = (file: string) => jsonIn(folder, file, isJsonObject)
  const [pooling, prompts, lengths, modules] = await Promise.all([
    ...([objectIn(poolingFile), objectIn(promptsFile), objectIn(lengthsFile)] as const),
    jsonIn(folder, modulesFile, Array.isArray),
  ])
  const tokens = lengths?.max_seq_length
  return {
    ...(pooling === undefined || stated.includes('pooling')
      ? {}
      : { pooling: hasDense(modules) ? 'model' : poolingOf(pooling, join(folder, poolingFile)) }),
    ...(prompts === undefined ? {} : promptsOf(prompts)),
    ...(typeof tokens === 'number' && tokens >= leastTokens
      ? { maxTokens: Math.min(tokens, mostTokens) }
      : {}),
  }
}

/** What follows pooling, as in EmbeddingGemma, is in the model's own output of whole texts alone. */
const hasDense = (modules: readonly unknown[] = []): boolean =>
  modules.some((module) => isJsonObject(module) && /\.Dense$/.test(String(module.type)))

async function jsonIn<Wanted>(
  folder: string,
  name: string,
  isWanted: (json: unknown) => json is Wanted,
): Promise<Wanted | undefined> {
  const file = join(folder, name)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const json: unknown = JSON.parse(text)
    if (isWanted(json)) return json
  } catch {
    // said below, as for JSON of another kind
  }
  const kind = name === 'modules.json' ? 'list' : 'object'
  throw new EmbeddingModelError(`${file}: not a JSON ${kind}.`, 'Copy or download the model again.')
}

const poolings: readonly (readonly [string, Pooling])[] = [
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_lasttoken', 'last'],
]

function poolingOf(config: JsonObject, file: string): Pooling {
  const named = { cls: 'cls', mean: 'mean', lasttoken: 'last' }[String(config.pooling_mode)]
  const stated = poolings.filter(([name]) => config[name] === true)
  const others = Object.keys(config).filter(
    (name) =>
      name.startsWith('pooling_mode_') &&
      config[name] === true &&
      !poolings.some(([known]) => known === name),
  )
  const [only] = stated
  if (named !== undefined) return named as Pooling
  if (only !== undefined && stated.length === 1 && others.length === 0) return only[1]
  throw new EmbeddingModelError(
    `${file}: pools by ${[...stated.map(([name]) => name), ...others].join(' and ') || 'nothing that is known'}.`,
    'Set pooling yourself (mean, cls or last) where one of these is near enough, or choose another model.',
  )
}

/** Names that models give their prompts for queries and for documents. */
const promptNames = {
  queryPrefix: ['query', 'search_query', 's2p_query', 'retrieval.query', 'web_search_query'],
  documentPrefix: ['document', 'passage', 'search_document', 'retrieval.passage'],
} as const

function promptsOf({ prompts, default_prompt_name: standard }: JsonObject): RepositorySettings {
  if (!isJsonObject(prompts)) return {}
  const textOf = (names: readonly string[]): string | undefined =>
    [...names, ...(typeof standard === 'string' ? [standard] : [])]
      .map((name) => prompts[name])
      .find((prompt) => typeof prompt === 'string')
  const queryPrefix = textOf(promptNames.queryPrefix)
  const documentPrefix = textOf(promptNames.documentPrefix)
  return {
    ...(queryPrefix === undefined ? {} : { queryPrefix }),
    ...(documentPrefix === undefined ? {} : { documentPrefix }),
  }
}
