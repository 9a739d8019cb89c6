import { createHash } from 'node:crypto'
import type { CrossEncoder } from './cross-encoder.ts'

/** How long a failure stands: searches that belong together ask within it, and are not charged again. */
const failureMs = 5000

type Kept = { readonly scores: Float32Array } | { readonly failure: unknown; readonly until: number }

/**
 * A reranker that is not asked twice for the same: for one that costs, and may say something else the second time.
 *
 * @param most - answers that are kept, the newest
 */
export function rememberScores(encoder: CrossEncoder, most = 256): CrossEncoder {
  const known = new Map<string, Kept>()
  /** Ends when the answer is kept, or did not come. */
  const underWay = new Map<string, Promise<void>>()
  const keep = (key: string, kept: Kept): void => {
    known.delete(key)
    known.set(key, kept)
    if (known.size > most) known.delete(known.keys().next().value!)
  }
  return {
    ...encoder,
    async score(query, documents, watch) {
      const key = createHash('sha256')
        .update(JSON.stringify([query, documents]))
        .digest('base64')
      while (underWay.has(key)) await underWay.get(key)
      watch?.signal?.throwIfAborted()
      const kept = known.get(key)
      if (kept !== undefined && 'scores' in kept) {
        keep(key, kept)
        return kept.scores.slice()
      }
      if (kept !== undefined && Date.now() < kept.until) throw kept.failure
      const asked = encoder.score(query, documents, watch)
      const ended = asked.then(
        () => undefined,
        () => undefined,
      )
      underWay.set(key, ended)
      try {
        const scores = await asked
        keep(key, { scores: scores.slice() })
        return scores
      } catch (failure) {
        if (!watch?.signal?.aborted) keep(key, { failure, until: Date.now() + failureMs })
        throw failure
      } finally {
        underWay.delete(key)
      }
    },
  }
}
