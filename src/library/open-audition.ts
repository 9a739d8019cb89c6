import type { checkArguments } from './checked.ts'
import { untilClosed } from './door.ts'
import { defined } from '../domain/defined.ts'
import { openAudition as compose } from '../compose/app.ts'
import type { ComposeOptions, Composition } from '../assembling/composition.ts'
import type { Audition } from '../compose/audition.ts'
import type { Card } from '../domain/card.ts'
import type { Plan, ProbeCall, TaskChoice } from '../probing/run/probing.ts'
import { type ListedTool, type RankedTools, type RankOptions, rankWith, type ToolList } from './rank.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { resolve } from 'node:path'
import { type Config, configFrom, isAddress, type NamedModels } from '../config.ts'
import type { EvaluationRequest, EvaluationResult } from '../evaluation/evaluations.ts'
import type { IndexOptions, IndexReport } from '../indexing/index-report.ts'
import type { Task } from '../probing/ports.ts'
import type { ProbeReport } from '../probing/run/probe-report.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import type { SimulatedServer, SimulateOptions } from '../simulating/ports.ts'
import { cardsNamed } from '../compose/known-names.ts'

/**
 * Opens Audition. Without an argument everything is as for the command `audition`: the same store, models and settings. Nothing is
 * loaded and no file touched before the first call.
 *
 * @throws Error when a number of threads is none
 */
export async function openAudition(options: AuditionOptions = {}): Promise<AuditionLibrary> {
  const audition = compose(configOf(options))
  return untilClosed({
    search: async (request, signal) => {
      await check('search', request)
      return audition.search(request, signal)
    },
    compose: async (task, how) => {
      await check('compose', { ...how, task })
      return audition.compose(task, how)
    },
    cards: async (ids) => {
      await check('cards', { ids })
      return audition.cards(ids)
    },
    index: (wanted) => audition.index({ harvest: 'agreed', ...wanted }),
    rank: (tools, query, how) => rankWith(audition, tools, { ...how, query }),
    plan: async ({ cards, tasks, ...call }) => {
      const known = await knownCards(audition, cards)
      return (await audition.probing()).plan({ ...call, cards: known, tasks: choiceOf(tasks) })
    },
    probe: async ({ cards, tasks, ...call }) => {
      const known = await knownCards(audition, cards)
      return (await audition.probing()).probe({ ...call, cards: known, tasks: choiceOf(tasks) })
    },
    simulate: (server, options) => audition.simulatedServer(server, options),
    evaluate: async ({ dataset, ...request }) =>
      (await audition.evaluations()).run({ ...request, dataset: { kind: 'place', place: dataset } }),
    close: () => audition.close(),
  })
}

/** Checks what a method is given. The schemas are loaded with the first call. @throws ArgumentError */
const check = async (...[method, given]: Parameters<typeof checkArguments>): Promise<void> =>
  (await import('./checked.ts')).checkArguments(method, given)

/** By the model that ships, whatever the environment says: the same list and request give the same answer everywhere. */
const bundled = compose(configOf({ environment: {}, model: null }))

/**
 * Ranks a list of tools that lies in memory by the model that ships with the package. Needs no store, no setting and no network.
 *
 * @throws RemedyError when it is given no list of tools, ArgumentError when request or options cannot be met
 */
export const rank = <Tool extends ListedTool>(
  tools: ToolList<Tool>,
  query: string,
  options?: RankOptions,
): Promise<RankedTools<Tool>> => rankWith(bundled, tools, { ...options, query })

function choiceOf(tasks: ProbeOptions['tasks'] = { kind: 'own', count: 3 }): TaskChoice {
  return 'kind' in tasks ? tasks : { kind: 'given', tasks }
}

/** @throws UnknownCardError */
async function knownCards(audition: Audition, wanted: ProbeOptions['cards']): Promise<readonly Card[]> {
  const ids = wanted.filter((one) => typeof one === 'string')
  const { cards, unknown } = ids.length === 0 ? { cards: [], unknown: [] } : await cardsNamed(audition, ids)
  const [first] = unknown
  if (first !== undefined) throw new UnknownCardError(first.id, first.closest, first.bringBack)
  const found = new Map(cards.map((card) => [card.id, card]))
  return wanted.map((one) => (typeof one === 'string' ? found.get(one)! : one))
}

/** A card was asked for that is not in the index. */
export class UnknownCardError extends RemedyError {
  override readonly name = 'UnknownCardError'
  readonly id: string
  /** Ids that are in the index and look like it, best first; at most three. */
  readonly closest: readonly string[]
  /** @param bringBack - what brings the card back, as a sentence, where it is one of the bundled catalog */
  constructor(id: string, closest: readonly string[], bringBack?: string) {
    const others =
      closest.length === 0
        ? 'Take the id of a card that a search found.'
        : `Closest ids: ${closest.join(', ')}.`
    super(`No tool or agent "${id}" is in the index.`, bringBack ?? others)
    this.id = id
    this.closest = closest
  }
}

/** What a program may say of its surroundings. What it leaves out comes from the environment, as for the command `audition`. */
export type AuditionOptions = {
  /** Folder of the store, or a URL of object storage. @defaultValue `AUDITION_HOME`, else the user's data folder */
  readonly home?: string | undefined
  /** Folder for downloads. @defaultValue the user's cache folder */
  readonly cache?: string | undefined
  /** `transformers:<folder or hub id>`, `embed:<address>#<model>`, `reader:<folder>`, `static:<folder>`, or `none` for words alone; null takes the model that ships. @defaultValue `AUDITION_MODEL`, else null */
  readonly model?: string | null | undefined
  /** `transformers:<folder or hub id>`, `rerank:<address>#<model>` or `llm:<model>`; null reranks with none. @defaultValue `AUDITION_RERANKER`, else null */
  readonly reranker?: string | null | undefined
  /** Language model that judges and writes tasks, and others that agents may run on; null for none but those of the settings. @defaultValue `AUDITION_LLM` with its keys, else null */
  readonly languageModel?: NamedModels | null | undefined
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
    model,
    reranker,
    languageModel,
    environment: { ...environment },
    ...defined({
      home: home !== undefined && !isAddress(home) ? resolve(home) : home,
      cache: cache === undefined ? undefined : resolve(cache),
      settings: settings === undefined ? undefined : resolve(settings),
    }),
  }
}

/** What to probe. */
export type ProbeOptions = Omit<ProbeCall, 'cards' | 'tasks'> & {
  /** Cards that a search found, or their ids. */
  readonly cards: readonly (Card | string)[]
  /** The tasks, for every candidate; or where they come from. @defaultValue three that each card brings */
  readonly tasks?: readonly Task[] | TaskChoice
}

/** What to measure. */
export type EvaluationOptions = Omit<EvaluationRequest, 'dataset'> & {
  /** A bundled dataset (`tools`), one that was registered, `self` for the user's own index, the name of a benchmark, or a path. */
  readonly dataset: string
}

/** Audition in a program. */
export type AuditionLibrary = {
  /**
   * Finds the tools or agents of the index for a need, best first.
   *
   * @throws ArgumentError when the request cannot be met, NoIndexError when nothing was ever indexed
   * @throws StoreError, EmbeddingModelError, RankerError
   */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  /**
   * Puts agents together for a task, from the tools of the user's MCP servers and the models that can be called, best first. Nothing is
   * written or run: `yaml` of a profile is a file that `index` reads and `probe` runs.
   *
   * @throws ArgumentError for an empty task; NoIndexError, StoreError, SettingsError; LanguageModelError when the setting names no model
   */
  compose(task: string, options?: ComposeOptions): Promise<Composition>
  /** Cards by id, in the order asked; unknown ids are left out. @throws ArgumentError, NoIndexError, StoreError */
  cards(ids: readonly string[]): Promise<readonly Card[]>
  /**
   * Reads files, folders, URLs and the bundled catalog into the index. MCP servers of host configurations are started to list their
   * tools only as `harvest` says.
   *
   * @param options - `harvest` is `agreed` where it is left out: servers that the user agreed to, and no other
   * @throws StoreError, EmbeddingModelError, SettingsError; what is wrong with a source stands in the report
   */
  index(options: IndexOptions): Promise<IndexReport>
  /**
   * Ranks a list of tools that lies in memory by the configured model. No store is opened or made.
   *
   * @throws RemedyError when it is given no list; ArgumentError, EmbeddingModelError, RankerError
   */
  rank<Tool extends ListedTool>(
    tools: ToolList<Tool>,
    query: string,
    options?: RankOptions,
  ): Promise<RankedTools<Tool>>
  /**
   * Says what a probe would start and ask. Starts nothing. What `grantsFor` makes of a plan can be given to `probe` as `allow`.
   *
   * @throws UnknownCardError, SettingsError
   */
  plan(options: Pick<ProbeOptions, 'cards' | 'tasks' | 'allow'>): Promise<readonly Plan[]>
  /**
   * Runs agents and tools on tasks, judges their answers and adds to their track record, by which searches rank from then on. Only
   * what the user's settings or `allow` name is started; what is not started is told in the report.
   *
   * @throws UnknownCardError, SettingsError, ProbingError, LanguageModelError
   */
  probe(options: ProbeOptions): Promise<ProbeReport>
  /**
   * A server that stands for one of the index: the same tools, and answers that were recorded, played by the language model or made of
   * schemas. Nothing of the real one is started, unless `mode` is `record` and the user's settings allow it.
   *
   * @param server - the source that has its tools
   * @throws RemedyError when the index has no such tools, or faults cannot be read; NoIndexError, LanguageModelError
   */
  simulate(server: string, options?: SimulateOptions): Promise<SimulatedServer>
  /**
   * Measures search on a dataset and keeps the run beside the store.
   *
   * @throws DatasetError, SettingError, RunFileError, UnwritableError, MissingPartError
   */
  evaluate(options: EvaluationOptions): Promise<EvaluationResult>
  /** Frees the store, the models and the threads. What is asked after it is refused: ClosedError. */
  close(): Promise<void>
}
