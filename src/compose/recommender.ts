import type { Problem } from '../catalog/ports.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'

/** What building a dataset of recommendations is asked for. */
export type RecommendBuildOptions = {
  /** Tables of outcomes: `{query, scores: {model: 0..1}}` a line, packed or not. */
  readonly outcomes?: readonly string[]
  /** What the models of those tables are: `{model, description}` a line. */
  readonly models?: string
  /** Folders of sets of tools and labelled queries. */
  readonly sets?: readonly string[]
  /** Folder to be made. */
  readonly out: string
  /** Queries of one set at most. @defaultValue 1500 */
  readonly perSet?: number
  /** Queries of Part I, and of Part III, at most. @defaultValue 3000 */
  readonly prototypes?: number
  /** Compares queries. */
  readonly model: EmbeddingModel | null
  readonly signal?: AbortSignal
  readonly onProblem?: (problem: Problem) => void
}

/** What a part of a dataset consists of, as the paper's tables tell it. Shares are 0..1. */
export type PartStatistics = {
  readonly part: string
  readonly queries: number
  readonly agents: number
  readonly positives: number
  /** Positives among all pairs of query and agent. */
  readonly density: number
  /** Share of the queries that repeat the text of another. */
  readonly repeatedQueries: number
  /** Of an agent, but for `distinct`. */
  readonly tools: {
    readonly distinct: number
    readonly mean: number
    readonly median: number
    readonly ninetieth: number
    readonly most: number
    /** Agents with exactly one, and with exactly two. */
    readonly one: number
    readonly two: number
  }
  readonly longTail: {
    /** Agents that are a positive once, and those that never are. */
    readonly once: number
    readonly never: number
    /** Positives of the most popular tenth of the agents. */
    readonly ofTopTenth: number
  }
}

export type BuiltRecommendations = {
  readonly folder: string
  readonly statistics: readonly PartStatistics[]
  /** Queries that no model served. */
  readonly unserved: number
  /** Queries chosen for Part III to which nothing of the other part is near. */
  readonly alone: number
}

/** What is held out: queries by their text, agents by what they can do, or both. */
export type RecommendSplit = 'query' | 'agent' | 'both'

/** What the package `audition-trainer` exports for recommending. */
export type Recommender = {
  /** Makes a dataset of recommendations. @throws TrainingError or DatasetError for what it cannot be made of */
  buildRecommendations(options: RecommendBuildOptions): Promise<BuiltRecommendations>
}

/** The same with the model that is configured. */
export type Recommending = {
  build(options: Omit<RecommendBuildOptions, 'model'>): Promise<BuiltRecommendations>
}
