import type { Card } from '../domain/card.ts'
import type { EvaluationRequest, EvaluationResult } from '../evaluation/evaluations.ts'
import type { IndexOptions, IndexReport } from '../indexing/index-report.ts'
import type { Task } from '../probing/ports.ts'
import type { ProbeReport } from '../probing/run/probe-report.ts'
import type { Plan, ProbeCall, TaskChoice } from '../probing/run/probing.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import type { ListedTool, RankedTools, RankOptions, ToolList } from './rank.ts'

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
   * @throws NoIndexError when nothing was ever indexed
   * @throws StoreError, EmbeddingModelError, RankerError
   */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  /** Cards by id, in the order asked; unknown ids are left out. @throws NoIndexError, StoreError */
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
   * @throws RemedyError when it is given no list; EmbeddingModelError, RankerError
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
   * Measures search on a dataset and keeps the run beside the store.
   *
   * @throws DatasetError, SettingError, RunFileError, UnwritableError, MissingPartError
   */
  evaluate(options: EvaluationOptions): Promise<EvaluationResult>
  /** Frees the store, the models and the threads. Nothing is asked after it. */
  close(): Promise<void>
}
