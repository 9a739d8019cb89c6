import type { Backbone, ToolCard } from '../domain/card.ts'

/** How a composition is asked for. */
export type ComposeOptions = {
  /** Profiles wanted. Integer 1..10. @defaultValue 10 */
  readonly k?: number
  readonly signal?: AbortSignal
}

/** What of a task a profile serves: a step of it, and the tool of the profile that is surest to do it. */
export type ServedFacet = {
  readonly facet: string
  /** Id of its card; null when no tool of the profile does, or none that is likely to. */
  readonly tool: string | null
  /** That one of the profile's tools does it, 0..1. */
  readonly probability: number
}

/** An agent that was put together for a task: backbone M, tools T and policy C, as a file that runs. */
export type ComposedProfile = {
  /** Kebab-case; of its file too. */
  readonly name: string
  /** How right its tools are for this task, times how likely the steps have a tool here at all: 0..1. */
  readonly score: number
  /** M. Null where no model can be called: then it lends its tools, and does not run. */
  readonly backbone: Backbone | null
  /** T, surest first. */
  readonly tools: readonly ToolCard[]
  readonly serves: readonly ServedFacet[]
  /** The capability profile, as its reader takes it back. */
  readonly yaml: string
}

/** What could be put together for a task. */
export type Composition = {
  readonly task: string
  /** The steps of the task; one entry when it has one. */
  readonly facets: readonly string[]
  /** Best first. The first is the best by its score; those behind it are for when it lacks something. */
  readonly profiles: readonly ComposedProfile[]
  /** Steps that no tool of the user's does, or is likely to. */
  readonly unserved: readonly string[]
  /** The model that was asked for combinations, and names in its answer that it was not given; absent when none was asked. */
  readonly asked?: { readonly model: string; readonly dropped: number }
  /** What a person should know, a sentence each. */
  readonly notes: readonly string[]
}
