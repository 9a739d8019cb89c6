import type { Card } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { SettingValues } from './datasets/dataset.ts'
import type { RunSettings } from './evaluation-run.ts'
import type { GivenRun } from './runs/given-run.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import type { Standings } from '../trust/standing.ts'

/** What a caller may choose of a run. Together with the dataset and the model it determines every byte of the run. */
export type EvaluationSettings = {
  /** The run's name. @defaultValue made of dataset and settings */
  readonly name?: string
  /** `auto` ranks as a search does: learned or hybrid when there are vectors, else lexical. @defaultValue 'auto' */
  readonly ranker?: NonNullable<SearchRequest['ranker']>
  /** What is searched; see {@link RunSettings}. @defaultValue 'own', or 'index' for queries that bring no cards */
  readonly corpus?: RunSettings['corpus']
  /** Whether the queries' instructions are read. They were often written with the answer in view. @defaultValue 'without' */
  readonly instruction?: RunSettings['instruction']
  /** @defaultValue 'ranking' */
  readonly pack?: RunSettings['pack']
  /**
   * `on` takes the cards of the dataset for strangers', which the defences against cards that were written to be found bind. The
   * user's own index is searched as it always is. @defaultValue 'off'
   */
  readonly defences?: 'on' | 'off'
  /** Whether copies of relevant cards count; see {@link RunSettings}. @defaultValue 'strict' */
  readonly equivalence?: RunSettings['equivalence']
  /** Rankings of another system, which are measured in place of a search. Not with `firstStage`. */
  readonly givenRun?: GivenRun
  /** Rankings of another system, whose first 100 candidates of each query are all that is ranked. */
  readonly firstStage?: GivenRun
  /** Whether every query is asked once more without what serves it; see `askAbsent`. @defaultValue false */
  readonly absent?: boolean
  /** Names of measures, the headline first. @defaultValue the dataset's headline */
  readonly measures?: readonly string[]
  /** Cutoff put in place of those of the dataset's headline. Integer >= 1; not with `measures`. */
  readonly k?: number
  /** Most queries over all parts. Integer >= 1. @defaultValue all */
  readonly limit?: number
  /** Names of the parts to read; told in the run's name. @defaultValue all */
  readonly parts?: readonly string[]
  /** What the dataset leaves open, by the name of its setting; told in the run's name. */
  readonly choices?: SettingValues
}

/** How far a run is. */
export type EvaluationProgress = {
  /** The part that is being searched. */
  readonly part: string
  /** Queries done and to do, over all parts. */
  readonly done: number
  readonly total: number
  /** Estimated from the queries done so far; null until there is one. */
  readonly secondsLeft: number | null
}

/** Tells the time; tests tell their own. */
export type Clock = {
  /** Milliseconds since any fixed moment, never running backwards. */
  now(): number
  /** The date, ISO 8601. */
  date(): string
}

export const processClock: Clock = {
  now: () => performance.now(),
  date: () => new Date().toISOString(),
}

/** What watches a run, and how its answers are sized. */
export type EvaluationWatch = {
  readonly onProgress?: (progress: EvaluationProgress) => void
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Tokens of the answer that a host would get to read. @defaultValue none are counted */
  readonly answerTokens?: (answer: SearchAnswer) => number
}

/** What a run searches with. */
export type EvaluationContext = EvaluationWatch & {
  /** Null searches by words alone. */
  readonly model: EmbeddingModel | null
  /** A model that was chosen in place of the one that ships is told in the run's usual name. @defaultValue 'shipped' */
  readonly modelIs?: 'shipped' | 'chosen'
  /** Reranks for the rankers `auto` and `cross-encoder`. @defaultValue none does */
  readonly crossEncoder?: CrossEncoderStage | null
  /** Whose words the sources of the dataset's cards hold. @defaultValue all are installed, as published benchmarks have no attackers */
  readonly standingOf?: Standings
  /** The user's index, for the corpus `index`. */
  readonly index?: CatalogSnapshot
}

/** Writes requests that a card should be found by, as a user would put them. Costs money: called only when asked for. */
export type QueryWriter = {
  /** For the report. */
  readonly model: string
  /**
   * @param count - requests wanted; fewer may come
   * @throws LanguageModelError when the model cannot be asked
   */
  write(card: Card, count: number, signal?: AbortSignal): Promise<readonly string[]>
}

/** A language model could not be asked, or answered nothing usable. */
export class LanguageModelError extends RemedyError {
  override readonly name = 'LanguageModelError'
  /** What an answer that cannot be used says that it took. */
  tokens?: { readonly input: number; readonly output: number } | undefined
}
