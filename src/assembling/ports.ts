import type { Backbone, ToolCard } from '../domain/card.ts'
import type { ServerForHost } from '../catalog/server-block.ts'
import type { ModelPrice } from '../domain/model-card.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'

/** A model that the user can call. */
export type CallableModel = {
  readonly backbone: Backbone
  /** As the settings state it. */
  readonly price?: ModelPrice
}

/** The models that the user can call. */
export type CallableModels = {
  /** Those that are configured, the user's first choice first. */
  readonly configured: readonly CallableModel[]
  /** A backbone that some card names, when the configured provider serves it under the same key. */
  reached(backbone: Backbone): CallableModel | null
}

/** What a shortlister chooses from. */
export type Shortlists = {
  readonly task: string
  readonly facets: readonly string[]
  readonly tools: readonly ToolCard[]
  readonly backbones: readonly Backbone[]
  /** Combinations wanted. */
  readonly count: number
}

/** Tools and a backbone, by their places in the shortlists. */
export type Combination = { readonly backbone: number | null; readonly tools: readonly number[] }

/** Combines what it is shown, best first. */
export type Shortlister = {
  readonly model: string
  /**
   * @returns `dropped`: names in its answer that it was not given
   * @throws LanguageModelError when the model cannot be asked
   */
  combine(
    shortlists: Shortlists,
    signal?: AbortSignal,
  ): Promise<{ readonly combinations: readonly Combination[]; readonly dropped: number }>
}

/** What composing asks of the rest. */
export type ComposingParts = {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  /** Ids of the sources that are MCP servers of the user; null when every tool may be taken. */
  servers(): Promise<readonly string[] | null>
  /** The server of a tool, fit to stand in a profile. @throws RemedyError when it cannot */
  serverOf(tool: ToolCard): ServerForHost
  readonly models: CallableModels
  /** What each model is worth in a task: the success that is expected, less its price. In the order given. */
  modelScores(task: string, models: readonly CallableModel[]): Promise<readonly number[]>
  /** Null when no language model is configured. */
  readonly shortlister: Shortlister | null
}
