import type { Problem } from '../../catalog/ports.ts'
import type { Recommender } from './recommender.ts'

/**
 * What training is asked for. The trainer is a package of its own, `audition-trainer`: it reads no part of this one but
 * `src`, and this one knows it by these types alone.
 */
export type TrainOptions = {
  /** Folders of cards and of queries that name what they ask for; at least one. */
  readonly data: readonly string[]
  /** Folder to be made; its name is the model's. */
  readonly out: string
  /** Folder of a model to adapt. */
  readonly from?: string
  /** File of word vectors to start from. */
  readonly initialVectors?: string
  /**
   * Folder of readers: `reader`, which comes into the model, and for the rows that its ranker learns from `fold-readers/<part>`, each
   * trained without the families that `folds.json` gives that part.
   */
  readonly reader?: string
  /** Stops when all is done that needs no reader; the same call with a reader goes on from there. */
  readonly prepare?: boolean
  /** Families of sets to leave out. */
  readonly leaveOut?: readonly string[]
  /** Differences from the default recipe. */
  readonly recipe?: {
    readonly dimensions?: number
    readonly keptDimensions?: number
    readonly vocabulary?: number
    readonly epochs?: number
  }
  /** @defaultValue 1 */
  readonly seed?: number
  /** Changes how long it takes and nothing else. @defaultValue as many as the machine has, at most 16 */
  readonly threads?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: TrainingProgress) => void
  /** Told of damaged lines and the like in the data. */
  readonly onProblem?: (problem: Problem) => void
}

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

export type TrainingStage =
  | 'data'
  | 'vocabulary'
  | 'texts'
  | 'vectors'
  | 'folds'
  | 'embedding'
  | 'interaction'
  | 'readings'
  | 'rows'
  | 'ranker'
  | 'answers'

export type EmbeddingProgress = {
  /** Counted from 1. */
  readonly epoch: number
  readonly epochs: number
  /** Steps done, of all epochs together. */
  readonly step: number
  readonly steps: number
  /** Mean of this epoch so far, in nats. */
  readonly loss: number
  /** nDCG@10 of the held-out queries after the last whole epoch; null before it, or without such queries. */
  readonly validation: number | null
  /** Reckoned from the steps done so far; null before the first. */
  readonly secondsLeft: number | null
}

/** A model that was trained. Its card holds more for people and programs; this is what is shown. */
export type TrainedModel = {
  readonly name: string
  readonly folder: string
  readonly card: {
    readonly embedding: {
      readonly supervisedPairs: number
      readonly selfSupervisedPairs: number
      readonly heldOutQueries: number
      /** By the embedding alone, each query over its own corpus; null without held-out queries. */
      readonly heldOutNdcg10: number | null
    }
    /** Null for the ranker of the model that was adapted. */
    readonly ranker: { readonly heldOutNdcg10: number | null } | null
    /** Absent without a reader. */
    readonly reader?: { readonly ranker: { readonly heldOutNdcg10: number | null } }
  }
}

/** What the package `audition-trainer` exports. */
export type Trainer = Recommender & {
  /**
   * Trains a model, or adapts one, and writes its folder.
   *
   * @param options - with the version of this package, for the model card
   */
  trainModel(options: TrainOptions & { readonly version: string }): Promise<TrainedModel>
}
