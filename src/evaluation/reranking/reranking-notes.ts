import { countOf } from '../../domain/text/count-of.ts'
import type { Reranking, SearchRequest } from '../../retrieval/answer.ts'
import type { RerankerCounts } from '../evaluation-run.ts'
import { RankerError } from '../../retrieval/ports.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import type { CrossEncoderStage } from '../../retrieval/rank/cross-encoder.ts'
import { rerankByCrossEncoder } from '../../retrieval/search/rerank.ts'
import { textsOfRequest } from '../../retrieval/search/request-texts.ts'
import type { Answered } from '../query-outcome.ts'

/** Failures in a row, from the first query on, that end a run: it would measure the stage before. */
const mostAtFirst = 5

/** What a reranker did and took, by part. */
export type CountsByPart = ReadonlyMap<string, RerankerCounts>

/** A reranker succeeded for no query. */
export class NeverRankedError extends RankerError {
  /** What was done and took, by part. */
  readonly took: ReadonlyMap<string, RerankerCounts>
  constructor(message: string, took: ReadonlyMap<string, RerankerCounts>) {
    super(message, 'Mend that, or measure another ranker with --ranker.')
    this.took = took
  }
}

/** Counts of several parts together. */
export const countsTogether = (counts: readonly RerankerCounts[]): RerankerCounts => {
  const sum = (name: keyof RerankerCounts): number => counts.reduce((all, each) => all + (each[name] ?? 0), 0)
  const cost = sum('cost')
  return {
    asked: sum('asked'),
    failed: sum('failed'),
    requests: sum('requests'),
    tokens: sum('tokens'),
    ...(cost === 0 ? {} : { cost }),
  }
}

/** Counts what a reranker did in a run, and says what a reader of the run should know of it. */
export function rerankingNotes() {
  const byPart = new Map<string, RerankerCounts>()
  let reason: string | undefined
  const whole = () => {
    const { asked = 0, failed = 0, requests = 0, tokens = 0, cost = 0 } = countsTogether([...byPart.values()])
    const taken = `${countOf(requests, 'request')} and ${countOf(tokens, 'token')}${cost === 0 ? '' : `, $${cost.toFixed(4)}`}`
    return { asked, failed, requests, taken }
  }
  const refuseIfNone = (): void => {
    const { asked, failed, requests, taken } = whole()
    if (failed === 0 || failed < asked) return
    throw new NeverRankedError(
      `The reranker failed for ${countOf(failed, 'query', 'queries')} of ${asked}: ${reason}${requests === 0 ? '' : ` That took ${taken}.`}`,
      byPart,
    )
  }
  return {
    /** @throws NeverRankedError when it fails from the first query on */
    add(part: string, reranking: Reranking | undefined): void {
      if (reranking === undefined || reranking.candidates === 0) return
      const { requests, tokens, cost = 0, failure } = reranking
      const failed = failure === undefined ? 0 : 1
      const own = { asked: 1, failed, requests, tokens: (tokens?.input ?? 0) + (tokens?.output ?? 0), cost }
      byPart.set(part, countsTogether([byPart.get(part) ?? {}, own]))
      if (failure === undefined) return
      reason = failure
      if (whole().failed >= mostAtFirst) refuseIfNone()
    },
    byPart: byPart as CountsByPart,
    /** The last reason of a failure. */
    failure: () => reason,
    /** @throws NeverRankedError when it never succeeded */
    notes(): readonly string[] {
      refuseIfNone()
      const { asked, failed, requests, taken } = whole()
      return [
        ...(failed === 0
          ? []
          : [
              `The reranker failed for ${countOf(failed, 'query', 'queries')} of ${asked}, which the stage before ranked. The last reason: ${reason}`,
            ]),
        ...(requests === 0 ? [] : [`Reranking took ${taken}.`]),
      ]
    },
  }
}

/** A ranking that others made, and where its cards are. */
type Given = {
  readonly snapshot: CatalogSnapshot
  readonly request: SearchRequest
  /** Ids, best first; those that are no cards of the snapshot keep no place. */
  readonly pool: readonly string[]
}

/** Has the first candidates of another system's ranking put in order anew; the others follow as they were. */
export async function rerankGiven(
  stage: CrossEncoderStage,
  { snapshot, request, pool }: Given,
  signal: AbortSignal | undefined,
): Promise<Answered & { readonly reranking: Reranking }> {
  const { kind, k = pool.length } = request
  const index = snapshot.indexes[kind]
  const { text, besides } = textsOfRequest(request, index)
  const known = pool.map((id) => index.ids.indexOf(id)).filter((document) => document !== -1)
  const ranked = known.map((document, place) => ({
    document,
    score: 1 - place / known.length,
    facets: [],
    lexical: undefined,
    dense: undefined,
    lift: undefined,
  }))
  const query = [text, ...besides.map((beside) => beside.text)].join('\n')
  const reranked = await rerankByCrossEncoder(stage, { snapshot, kind, query, ranked }, signal)
  const candidates = reranked.ranked
    .slice(0, k)
    .map(({ document, score }) => ({ id: index.ids.at(document), score }))
  return { candidates, match: 'good', tokens: 0, reranking: reranked.reranking }
}
