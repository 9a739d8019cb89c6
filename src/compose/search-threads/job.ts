import type { SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { type SearchContext, search } from '../../retrieval/search/search.ts'

/** A search that somebody waits for. */
export type Job = {
  readonly context: SearchContext
  readonly request: SearchRequest
  readonly signal: AbortSignal | undefined
  resolve(answer: SearchAnswer): void
  reject(reason: unknown): void
}

/** Ends when the search is made; its cards are read then, while others are searched for. */
export const searchHere = ({ context, request, signal, resolve, reject }: Job): Promise<void> =>
  new Promise((searched) => {
    const cards: CatalogSnapshot['cards'] = (ids) => {
      searched()
      return context.snapshot.cards(ids)
    }
    const found = search({ ...context, snapshot: { ...context.snapshot, cards } }, request, signal)
    found.then(resolve, reject).finally(searched)
  })

/** Answers with the cards of these ids. One that is not there any more is left out. */
export function answer({ context, resolve, reject }: Job, found: SearchAnswer): void {
  const withCards = async (): Promise<SearchAnswer> => {
    const cards = await context.snapshot.cards(found.candidates.map(({ card }) => card.id))
    const byId = new Map(cards.map((card) => [card.id, card]))
    const candidates = found.candidates.flatMap((candidate) => {
      const card = byId.get(candidate.card.id)
      return card === undefined ? [] : [{ ...candidate, card }]
    })
    return { ...found, candidates }
  }
  withCards().then(resolve, reject)
}

/** The next that nobody has given up. */
export function nextOf(waiting: Job[]): Job | undefined {
  const job = waiting.shift()
  if (!job?.signal?.aborted) return job
  job.reject(job.signal.reason)
  return nextOf(waiting)
}
