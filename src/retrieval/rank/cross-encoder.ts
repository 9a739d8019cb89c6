import type { Tokens } from '../../domain/tokens.ts'
import type { Card } from '../../domain/card.ts'

/** Who asks for relevances, and is told what they took. */
export type ScoreWatch = {
  readonly signal?: AbortSignal | undefined
  /** Of models that others run: called once for each answer they gave. */
  readonly onUsage?: (usage: Usage) => void
  /** Of language models that are to explain: why a document stands first, in the model's words. */
  readonly onReason?: (place: number, reason: string) => void
}

/** What one request took, as far as who answered it tells, or the user's prices do. */
export type Usage = {
  readonly tokens?: Tokens | undefined
  readonly cost?: number | undefined
  /** Another model than the one that was asked, as who answered says. */
  readonly answeredAs?: string
}

/** Reads a query with documents and says how relevant each document is. Slow: for few candidates. */
export type CrossEncoder = {
  /** Everything that changes its scores. */
  readonly id: string
  /**
   * One relevance per document, in order; higher is better. Finite, of any range, comparable within the call.
   *
   * @throws RemedyError when the model cannot compute, or does not answer
   */
  score(query: string, documents: readonly string[], watch?: ScoreWatch): Promise<Float32Array>
  close(): Promise<void>
}

/** A cross-encoder at its place in a search. */
export type CrossEncoderStage = {
  readonly encoder: CrossEncoder
  /** Candidates that are rescored. Integer >= 1. */
  readonly depth: number
  /** What the user calls it. @defaultValue what its encoder's id says */
  readonly name?: string
  /** What it reads of a card. @defaultValue `embeddingText` */
  readonly textOf?: (card: Card) => string
}
