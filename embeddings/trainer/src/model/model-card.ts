import type { TrainingSetSummary } from '../data/describe-training-data.ts'
import type { FamilyVerdicts } from '../ranker/choose-thresholds.ts'
import type { TrainingRecipe } from '../recipe.ts'

/** What a trained model says of itself: how it came to be, and from what. */
export type ModelCard = {
  readonly data: readonly TrainingSetSummary[]
  /** Families of sets that were left out on purpose. */
  readonly leftOut: readonly string[]
  /** Word vectors that token vectors started from. */
  readonly initialVectors: { readonly file: string; readonly sha256: string; readonly words: number } | null
  /** The model that was adapted. */
  readonly base: { readonly name: string; readonly sha256: string } | null
  readonly recipe: TrainingRecipe
  readonly seed: number
  readonly versions: { readonly [what: string]: string }
  /** Wall-clock seconds per stage. */
  readonly seconds: { readonly [stage: string]: number }
  readonly embedding: {
    readonly supervisedPairs: number
    readonly selfSupervisedPairs: number
    /** Of each epoch, in nats. */
    readonly losses: readonly number[]
    readonly heldOutQueries: number
    /** By the embedding alone, each query over its own corpus; null without held-out queries. */
    readonly heldOutNdcg10: number | null
    /** What cosines were multiplied with at the end. */
    readonly scale: number
  }
  /** Of the vectors by which words are matched, the loss of each epoch in nats; null for those of the model that was adapted. */
  readonly interaction: { readonly losses: readonly number[] } | null
  /** Null for the ranker of the model that was adapted. */
  readonly ranker: {
    readonly trees: number
    readonly queries: number
    readonly rows: number
    /** Out of fold, among the candidates of both retrievers; null when no queries were set apart. */
    readonly heldOutNdcg10: number | null
  } | null
  /** Null for those of the model that was adapted, or where there was too little to learn from. */
  readonly answers: {
    readonly trees: number
    readonly queries: number
    /** How the verdict does on each family by trees that were trained without it, shares of 0..1. */
    readonly leftOut: readonly FamilyVerdicts[]
  } | null
  /** The reader beside the embedding, and the ranker that looks at what it reads; absent without one. */
  readonly reader?: {
    readonly name: string
    /** Of its weights. */
    readonly sha256: string
    /** Of those of the parts, whose readings the ranker learned from: each had not seen the families that it read for. */
    readonly parts: readonly string[]
    readonly ranker: NonNullable<ModelCard['ranker']>
    readonly answers: ModelCard['answers']
  }
  /** Measured later, on sets that were not trained on: name to measure to value. */
  readonly results: { readonly [set: string]: { readonly [measure: string]: number } }
}
