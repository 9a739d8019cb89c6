import { allInstalled, type Standings } from '../../../src/trust/standing.ts'
import { rank } from '../../../src/domain/ranking.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'
import type { SearchRequest } from '../../../src/retrieval/answer.ts'
import { allDefences, type DefenceSettings } from '../../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { retrievalDefaults } from '../../../src/retrieval/search/retrieve.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import type { HonestCase } from './honest-source.ts'
import { honestCards, honestCases } from './honest-sources.ts'
import { noDefences } from '../../fakes/no-defences.ts'

/** Whose the honest sources are taken for. */
export const guises = {
  installed: allInstalled,
  stranger: () => 'stranger',
} as const satisfies { readonly [name: string]: Standings }

export type Guise = keyof typeof guises

/** Points of nDCG@10 that honest requests may lose on average, and places that any honest card may move down. */
export const mostLost = 0.3
export const mostMoved = 3

/** What the defences did to one honest request. */
export type HonestOutcome = {
  readonly asked: HonestCase
  /** nDCG@10, 0..100. */
  readonly undefended: number
  readonly defended: number
  /** The card among the first ten that moved down most, and by how many places. */
  readonly moved: { readonly card: string; readonly places: number }
}

/** Candidates whose places are compared. */
const seen = 10
/** Candidates looked at, so that one that moved beyond the first ten is found. */
const looked = 40

/** Asks every honest request with and without the defences. */
export async function honestOutcomes(
  guise: Guise,
  model: EmbeddingModel | null,
  pack: NonNullable<SearchRequest['pack']>,
): Promise<readonly HonestOutcome[]> {
  const snapshot = await memorySnapshot(honestCards, model, { standingOf: guises[guise] })
  const found = async ({ text, of }: HonestCase, defences: DefenceSettings) => {
    const settings = { ...retrievalDefaults, defences }
    const k = pack === 'ranking' ? looked : seen
    const { candidates } = await search({ snapshot, model, settings }, { kind: of, query: text, k, pack })
    return candidates.map(({ card, score, signals }) => ({ id: card.id, score, told: signals.duplicates }))
  }
  const outcomes: HonestOutcome[] = []
  for (const asked of honestCases) {
    const [before, after] = [await found(asked, noDefences), await found(asked, allDefences)]
    const grades = new Map(asked.serves.map((id) => [id, 1]))
    const ndcg = (list: typeof before) =>
      100 * ndcgAt(rank(list.map(({ id, score }) => ({ id, score }))), grades, seen)
    // A near-copy that is told with the card it was folded into stands where that one stands.
    const placeOf = (id: string): number => {
      const place = after.findIndex((one) => one.id === id || one.told.includes(id))
      return place < 0 ? after.length : place
    }
    const moves = before
      .slice(0, seen)
      .map(({ id }, place) => ({ card: id, places: placeOf(id) - place }))
      .sort((a, b) => b.places - a.places)
    outcomes.push({
      asked,
      undefended: ndcg(before),
      defended: ndcg(after),
      moved: moves[0] ?? { card: '', places: 0 },
    })
  }
  return outcomes
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Points of nDCG@10 lost on average, and the longest way down. */
export const harmOf = (outcomes: readonly HonestOutcome[]) => ({
  lost: meanOf(outcomes.map(({ undefended, defended }) => undefended - defended)),
  moved: Math.max(...outcomes.map(({ moved }) => moved.places)),
})
