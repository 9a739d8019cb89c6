/** What is said of a language model that agents may run on. */
export type ModelCard = {
  /** `provider/name`, or the name alone where no provider is known. */
  readonly id: string
  readonly name: string
  readonly description?: string
  /** US dollars per million tokens. */
  readonly price?: ModelPrice
  /** Tokens that it reads at once. */
  readonly context?: number
  /** Modalities, for example `text`, `image`. */
  readonly input?: readonly string[]
  readonly output?: readonly string[]
  /** Whether it calls tools, and whether it reasons before it answers. */
  readonly tools?: boolean
  readonly reasoning?: boolean
  readonly openWeights?: boolean
  readonly licence?: string
}

export type ModelPrice = { readonly input: number; readonly output: number }

/** How well models did a task: by their names, 0..1 each. */
export type TaskScores = { readonly task: string; readonly scores: { readonly [model: string]: number } }

/** What a file says of models. */
export type ModelList = { readonly models: readonly ModelCard[]; readonly outcomes: readonly TaskScores[] }

/**
 * By what a model is known whoever serves it: `Qwen/Qwen2.5-7B-Instruct` and `openrouter/qwen/qwen2.5-7b-instruct` are one, with one
 * ability and two prices.
 */
export const modelKey = (id: string): string => id.slice(id.lastIndexOf('/') + 1).toLowerCase()

/** What a token costs on average, where as many are read as written: US dollars per million. */
export const blendedPrice = ({ input, output }: ModelPrice): number => (input + output) / 2
