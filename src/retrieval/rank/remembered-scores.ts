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
  const keep = (key: string, kept: Kept): void => {
    known.delete(key)
    known.set(key, kept)
    if (known.size > most) known.delete(known.keys().next().value!)
  }
  return {
    ...encoder,
    async score(query, documents, watch) {
      watch?.signal?.throwIfAborted()
      const key = createHash('sha256')
        .update(JSON.stringify([query, documents]))
        .digest('base64')
      const kept = known.get(key)
      if (kept !== undefined && 'scores' in kept) {
        keep(key, kept)
        return kept.scores.slice()
      }
      if (kept !== undefined && Date.now() < kept.until) throw kept.failure
      try {
        const scores = await encoder.score(query, documents, watch)
        keep(key, { scores: scores.slice() })
        return scores
      } catch (failure) {
        if (!watch?.signal?.aborted) keep(key, { failure, until: Date.now() + failureMs })
        throw failure
      }
    },
  }
}
