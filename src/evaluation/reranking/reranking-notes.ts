import { countOf } from '../../domain/text/count-of.ts'
import type { Reranking } from '../../retrieval/answer.ts'
import type { RerankingRow } from '../runs/evaluation-run.ts'
import { RankerError } from '../../retrieval/rank/ranker-error.ts'

/** Failures in a row, from the first query on, that end a run: it would measure the stage before. */
const mostAtFirst = 5

/** Counts what a reranker did in a run, and says what a reader of the run should know of it. */
export function rerankingNotes() {
  const sum = { queries: 0, failed: 0, requests: 0, tokens: 0, cost: 0 }
  let reason = ''
  const refuseIfNone = (): void => {
    if (sum.failed === 0 || sum.failed < sum.queries) return
    throw new RankerError(
      `The reranker failed for ${countOf(sum.failed, 'query', 'queries')} of ${sum.queries}: ${reason}`,
      'Mend that, or measure another ranker with --ranker.',
    )
  }
  return {
    /** @throws RankerError when it fails from the first query on */
    add(reranking: Reranking | undefined): void {
      if (reranking === undefined || reranking.candidates === 0) return
      sum.queries += 1
      sum.requests += reranking.requests
      sum.tokens += (reranking.tokens?.input ?? 0) + (reranking.tokens?.output ?? 0)
      sum.cost += reranking.cost ?? 0
      if (reranking.failure === undefined) return
      sum.failed += 1
      reason = reranking.failure
      if (sum.failed >= mostAtFirst) refuseIfNone()
    },
    /** What it did, for a row of a table. */
    took: (): Omit<RerankingRow, 'name' | 'kind'> => ({
      ...{ asked: sum.queries, failed: sum.failed, requests: sum.requests, tokens: sum.tokens },
      ...(sum.cost === 0 ? {} : { cost: sum.cost }),
      ...(sum.failed === 0 ? {} : { failure: reason }),
    }),
    /** @throws RankerError when it never succeeded */
    notes(): readonly string[] {
      refuseIfNone()
      const cost = sum.cost === 0 ? '' : `, $${sum.cost.toFixed(4)}`
      return [
        ...(sum.failed === 0
          ? []
          : [
              `The reranker failed for ${countOf(sum.failed, 'query', 'queries')} of ${sum.queries}, which the stage before ranked. The last reason: ${reason}`,
            ]),
        ...(sum.requests === 0
          ? []
          : [`Reranking took ${countOf(sum.requests, 'request')} and ${sum.tokens} tokens${cost}.`]),
      ]
    },
  }
}
