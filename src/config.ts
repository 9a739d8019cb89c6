import { join, resolve } from 'node:path'
import envPaths from 'env-paths'

/** All that Audition takes from its surroundings. Flags and environment are read here and nowhere else. */
export type Config = {
  /** Folder of the store, or a URL of object storage that LanceDB understands (`s3://`, `s3+ddb://`, `gs://`, `az://`), or a database of LanceDB Cloud or Enterprise (`db://`). */
  readonly home: string
  /** Folder for what can be made again, and for files of a store that lies elsewhere. */
  readonly cache: string
  /** Folder for models and datasets that the user allowed to download. @defaultValue `cache` */
  readonly downloads?: string
  /**
   * Dense model as one line: `transformers:/models/minilm?dtype=q8`, `static:<folder>` of a model that was trained here,
   * `reader:<folder>` of a small transformer, `embed:<address>#<model>` where others run it, who are sent cards and requests, or `none` to
   * search by words alone; null takes the built-in one.
   */
  readonly model: string | null
  /** Of a dense model that others run. */
  readonly modelKey?: string
  /**
   * Of a model with a reader: the most cards of a kind that are read, >= 0; of a larger kind none are. Null switches the reader off.
   */
  readonly reader: { readonly mostCards: number } | null
  /**
   * What reranks, as one line: `transformers:/models/reranker?depth=50` on this machine, `rerank:<address>#<model>` or `llm:<model>` where
   * others run it, who are sent the request and the first cards; null reranks with none.
   */
  readonly reranker: string | null
  /** Of a reranker that others run. */
  readonly rerankerKey?: string
  /** Of several that are measured side by side, by the provider's name in small letters. */
  readonly rerankerKeys?: { readonly [provider: string]: string }
  /**
   * Language model that writes and judges when it is asked to, and `others` that agents may run on besides; null when none is configured.
   */
  readonly languageModel: NamedModels | null
  /** File of the user's settings on probing: what may be started, limits, prices. It need not be there. */
  readonly settings: string
  /** Audition's own folder of settings; `AUDITION_SETTINGS` may name a file elsewhere. */
  readonly settingsFolder: string
  /** Threads that search at once, 1 or more; another one starts when it is needed. */
  readonly searchThreads: number
  /** What servers' `${VAR}` are looked up in, and what their processes get their PATH from. */
  readonly environment: NodeJS.ProcessEnv
  /** Paths that programs in a sandbox do not see, besides the store, the cache and the settings. @defaultValue none */
  readonly hidden?: readonly string[]
  /** Cards that the index may hold; an index run that would add more commits nothing. @defaultValue any number */
  readonly mostCards?: number
}

/** The language model that writes and judges, and others that agents may run on. */
export type NamedModels = NamedModel & { readonly others?: readonly NamedModel[] }

/** A language model in one line, its key, and the variable that the key stands in where that is not `AUDITION_LLM_KEY`. */
export type NamedModel = { readonly spec: string; readonly key?: string; readonly keyVariable?: string }

/** Whether an engine searches the store where it lies: LanceDB Cloud or Enterprise. */
export const isEngine = (home: string): boolean => /^db:\/\//i.test(home)

/** Whether the store lies elsewhere than in a folder of this machine. */
export const isAddress = (home: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(home)

/**
 * Reads the environment: `AUDITION_HOME` (default: the user's data folder), `AUDITION_MODEL`,
 * `AUDITION_RERANKER` and `AUDITION_LLM` with their keys (`…_KEY`; default: none), `AUDITION_SETTINGS` (default:
 * `settings.yaml` in the user's configuration folder). `AUDITION_RERANKER_KEY_<PROVIDER>` is the key of one of several rerankers.
 * `AUDITION_LLM` may name several models, separated by commas; the key of the second stands in `AUDITION_LLM_KEY_2`, and so on.
 * Empty values count as absent. `AUDITION_THREADS` says how many threads search at once (default: 1; `serve --http` has another one), `AUDITION_READER=none`
 * switches the model's reader off, and `AUDITION_READER_CARDS` says how many cards of a kind it reads (default: 50000).
 *
 * @throws Error when a number is none, or `AUDITION_READER` is something else
 */
export function configFrom(environment: NodeJS.ProcessEnv): Config {
  const folders = envPaths('audition', { suffix: '' })
  const home = environment.AUDITION_HOME || folders.data
  return {
    home: isAddress(home) ? home : resolve(home),
    cache: folders.cache,
    model: environment.AUDITION_MODEL || null,
    ...(environment.AUDITION_MODEL_KEY ? { modelKey: environment.AUDITION_MODEL_KEY } : {}),
    reader: readerOf(environment),
    reranker: environment.AUDITION_RERANKER || null,
    ...(environment.AUDITION_RERANKER_KEY ? { rerankerKey: environment.AUDITION_RERANKER_KEY } : {}),
    rerankerKeys: keysOf(environment),
    languageModel: languageModelOf(environment),
    settings: resolve(environment.AUDITION_SETTINGS || join(folders.config, 'settings.yaml')),
    settingsFolder: folders.config,
    searchThreads: threadsOf(environment.AUDITION_THREADS),
    environment,
  }
}

const keyOfProvider = /^AUDITION_RERANKER_KEY_([A-Z_]+)$/
const keysOf = (environment: NodeJS.ProcessEnv): NonNullable<Config['rerankerKeys']> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, key]) => {
      const provider = keyOfProvider.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-')
      return provider && key ? [[provider, key]] : []
    }),
  )
function languageModelOf(environment: NodeJS.ProcessEnv): NamedModels | null {
  const specs = (environment.AUDITION_LLM ?? '').split(',').map((spec) => spec.trim())
  const named = specs
    .filter((spec) => spec !== '')
    .map((spec, at) =>
      at === 0
        ? keyed({ spec }, environment.AUDITION_LLM_KEY)
        : modelOfVariable(spec, `AUDITION_LLM_KEY_${at + 1}`, environment),
    )
  return withOthers(named)
}

const keyed = (named: NamedModel, key: string | undefined): NamedModel => (key ? { ...named, key } : named)

/** A model whose key stands in a variable, where that is set. */
export const modelOfVariable = (
  spec: string,
  keyVariable: string,
  environment: NodeJS.ProcessEnv,
): NamedModel => keyed({ spec, keyVariable }, environment[keyVariable])

/** The first of a list, which is used where one model is, with the others. */
export function withOthers(named: readonly NamedModel[]): NamedModels | null {
  const [first, ...others] = named
  return first === undefined ? null : others.length === 0 ? first : { ...first, others }
}

const defaultMostCards = 50_000
function readerOf({
  AUDITION_READER: reader,
  AUDITION_READER_CARDS: cards,
}: NodeJS.ProcessEnv): Config['reader'] {
  if (reader && reader !== 'none')
    throw new Error(
      `AUDITION_READER is "${reader}". Write none to search without the reader, or unset it; AUDITION_MODEL=reader:<folder> takes one of yours.`,
    )
  if (reader) return null
  const mostCards = cards ? Number(cards) : defaultMostCards
  if (Number.isInteger(mostCards) && mostCards >= 0) return { mostCards }
  throw new Error(
    `AUDITION_READER_CARDS is "${cards}". Write a whole number of 0 or more, or unset it for ${defaultMostCards}.`,
  )
}

const mostThreads = 64
function threadsOf(value: string | undefined): number {
  if (!value) return 1
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1 && count <= mostThreads) return count
  throw new Error(
    `AUDITION_THREADS is "${value}". Write a whole number from 1 to ${mostThreads}, or unset it for one.`,
  )
}
