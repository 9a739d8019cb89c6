import { resolve } from 'node:path'
import { type Config, configFrom, isAddress } from '../config.ts'

/** What a program may say of its surroundings. What it leaves out comes from the environment, as for the command `audition`. */
export type AuditionOptions = {
  /** Folder of the store, or a URL of object storage. @defaultValue `AUDITION_HOME`, else the user's data folder */
  readonly home?: string | undefined
  /** Folder for downloads. @defaultValue the user's cache folder */
  readonly cache?: string | undefined
  /** `transformers:<folder or hub id>`, `reader:<folder>`, `static:<folder>`, or `none` for words alone; null takes the model that ships. @defaultValue `AUDITION_MODEL`, else null */
  readonly model?: string | null | undefined
  /** `transformers:<folder or hub id>`; null reranks with none. @defaultValue `AUDITION_RERANKER`, else null */
  readonly reranker?: string | null | undefined
  /** Language model that judges and writes tasks; null for none. @defaultValue `AUDITION_LLM` with `AUDITION_LLM_KEY`, else null */
  readonly languageModel?: { readonly spec: string; readonly key?: string } | null | undefined
  /** File of the user's settings: what may be started, limits, prices. @defaultValue `AUDITION_SETTINGS`, else `settings.yaml` in the user's configuration folder */
  readonly settings?: string | undefined
  /** Threads that search at once. Integer 1..64. @defaultValue `AUDITION_THREADS`, else 1 */
  readonly searchThreads?: number | undefined
  /** What is read in place of `process.env`: the settings above, and the variables of servers that are started. */
  readonly environment?: { readonly [name: string]: string | undefined } | undefined
}

/**
 * The environment and its defaults, and over them what the program says.
 *
 * @throws Error when a number of threads is none
 */
export function configOf({
  home,
  cache,
  settings,
  searchThreads,
  environment = process.env,
  ...models
}: AuditionOptions): Config {
  const threads = searchThreads === undefined ? {} : { AUDITION_THREADS: String(searchThreads) }
  const said = configFrom({ ...environment, ...threads })
  const { model = said.model, reranker = said.reranker, languageModel = said.languageModel } = models
  return {
    ...said,
    ...{ model, reranker, languageModel, environment: { ...environment } },
    ...(home === undefined ? {} : { home: isAddress(home) ? home : resolve(home) }),
    ...(cache === undefined ? {} : { cache: resolve(cache) }),
    ...(settings === undefined ? {} : { settings: resolve(settings) }),
  }
}
