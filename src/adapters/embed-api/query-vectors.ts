import { EmbeddingServiceError } from '../../retrieval/rank/embedding-model-error.ts'
import { type AskVectors, requestsOf } from './ask-vectors.ts'

/** Queries whose vectors are held, the newest. */
const mostQueries = 256
/** So long the searches after a failed one do not wait for the service. */
const failureMs = 30_000

/**
 * Vectors of queries, each asked for once while it is new; after a failure nobody waits for a while.
 *
 * @param most - in one request
 */
export function queriesOf(
  ask: AskVectors,
  most: number,
): (texts: readonly string[], signal?: AbortSignal) => ReturnType<AskVectors> {
  const known = new Map<string, Float32Array>()
  let failed: { readonly error: EmbeddingServiceError; readonly until: number } | undefined
  /** Ends when they are there, or did not come. */
  const underWay = new Map<string, Promise<void>>()
  const learn = async (fresh: readonly string[], signal: AbortSignal | undefined) => {
    if (fresh.length > 0 && failed !== undefined && Date.now() < failed.until) throw failed.error
    const made: [string, Float32Array][] = []
    try {
      for (const batch of requestsOf(fresh, most)) {
        const vectors = await ask(batch, 'query', signal)
        made.push(...batch.map((text, at) => [text, vectors[at]!] as [string, Float32Array]))
      }
      failed = undefined
      return made
    } catch (error) {
      if (error instanceof EmbeddingServiceError) failed = { error, until: Date.now() + failureMs }
      throw error
    }
  }
  return async (texts, signal) => {
    // Searches of tools and of agents ask for the same at once.
    while (texts.some((text) => underWay.has(text)))
      await Promise.all(texts.map((text) => underWay.get(text)))
    signal?.throwIfAborted()
    const held = new Map(texts.flatMap((text) => (known.has(text) ? [[text, known.get(text)!]] : [])))
    const fresh = [...new Set(texts)].filter((text) => !held.has(text))
    const learning = learn(fresh, signal)
    const ended = learning.then(
      () => undefined,
      () => undefined,
    )
    for (const text of fresh) underWay.set(text, ended)
    try {
      for (const [text, vector] of await learning) held.set(text, vector)
    } finally {
      for (const text of fresh) underWay.delete(text)
    }
    for (const text of texts) {
      known.delete(text)
      known.set(text, held.get(text)!)
    }
    for (const text of known.keys()) {
      if (known.size <= mostQueries) break
      known.delete(text)
    }
    return texts.map((text) => held.get(text)!)
  }
}
