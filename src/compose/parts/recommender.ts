import type { Problem } from '../../catalog/ports.ts'
import type { Estimate } from '../../evaluation/evaluation-run.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'

/** What building a dataset of recommendations is asked for. */
export type RecommendBuildOptions = {
  /** Tables of outcomes: `{query, scores: {model: 0..1}}` a line, packed or not. */
  readonly outcomes?: readonly string[]
  /** What the models of those tables are: `{model, description}` a line. */
  readonly models?: string
  /** Folders of sets of tools and labelled queries. */
  readonly sets?: readonly string[]
  /** Which of the published sets are read: those for training with a user's own, or those that are kept apart. @defaultValue 'training' */
  readonly use?: 'training' | 'development'
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

/** What training a recommender is asked for. */
export type RecommendTrainOptions = {
  /** Folder of a dataset in the layout of AgentSelect. */
  readonly data: string
  /** Folder to be made. */
  readonly out: string
  /** @defaultValue 'query' */
  readonly by?: RecommendSplit
  /** Of what is held out. @defaultValue '42' */
  readonly seed?: string
  /** Differences from the default tower. */
  readonly settings?: { readonly depth?: 'linear' | 'mlp'; readonly epochs?: number }
  /** Tells what a search knows of candidates. */
  readonly model: EmbeddingModel | null
  readonly signal?: AbortSignal
  /** Told what is being done. */
  readonly onProgress?: (what: string) => void
}

export type TrainedRecommender = {
  readonly folder: string
  /** Queries that were learned from, and those that were not. */
  readonly trainedOn: number
  readonly heldOut: number
  /** Of the tower's last epoch, in nats. */
  readonly loss: number
  /** Of the fusion. */
  readonly trees: number
}

/** What measuring a recommender is asked for. */
export type RecommendEvaluateOptions = {
  readonly data: string
  /** Folder of `trainRecommender`; it says what was held out. */
  readonly recommender: string
  /** What is measured. @defaultValue all there is */
  readonly rows?: readonly string[]
  /** Queries of a part at most. @defaultValue all */
  readonly limit?: number
  /** Whether towers that see less are trained and measured too. */
  readonly ablation?: boolean
  readonly model: EmbeddingModel | null
  readonly signal?: AbortSignal
  /** Told what is being measured, and each row in short when it is. */
  readonly onProgress?: (what: string) => void
}

/** One way to rank, over groups of queries. */
export type RecommendRow = {
  readonly name: string
  readonly groups: readonly {
    readonly group: string
    readonly queries: number
    readonly measures: { readonly [measure: string]: Estimate }
  }[]
}

export type RecommendReport = {
  readonly split: { readonly by: RecommendSplit; readonly seed: string }
  readonly queries: number
  /** By part. */
  readonly rows: readonly RecommendRow[]
  /** By part, and by how often the agent that serves was learned from. */
  readonly longTail: readonly RecommendRow[]
  /** Towers by what they see; empty where they were not asked for. */
  readonly ablation: readonly RecommendRow[]
}

/** What the package `audition-trainer` exports for recommending. */
export type Recommender = {
  /** Makes a dataset of recommendations. @throws TrainingError or DatasetError for what it cannot be made of */
  buildRecommendations(options: RecommendBuildOptions): Promise<BuiltRecommendations>
  /** @throws TrainingError or DatasetError for data that cannot be learned from */
  trainRecommender(options: RecommendTrainOptions): Promise<TrainedRecommender>
  /** @throws TrainingError for other data than it was trained on */
  evaluateRecommender(options: RecommendEvaluateOptions): Promise<RecommendReport>
}

/** The same with the model that is configured. */
export type Recommending = {
  build(options: Omit<RecommendBuildOptions, 'model'>): Promise<BuiltRecommendations>
  train(options: Omit<RecommendTrainOptions, 'model'>): Promise<TrainedRecommender>
  evaluate(options: Omit<RecommendEvaluateOptions, 'model'>): Promise<RecommendReport>
}
