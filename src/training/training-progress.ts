import type { EmbeddingProgress } from './train-embedding.ts'

export type TrainingStage =
  | 'data'
  | 'vocabulary'
  | 'texts'
  | 'vectors'
  | 'folds'
  | 'embedding'
  | 'interaction'
  | 'rows'
  | 'ranker'
  | 'answers'

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
