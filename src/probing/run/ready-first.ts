import type { ScoredCard, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { Probing } from './probing.ts'

/** What matches less than this share of the best as well does not lead because it can run. */
const leastMatch = 0.2
/** From behind, a card comes in when it matches this share of the last one that is shown. */
const comparable = 0.5
/** How far behind is looked, in places shown. */
const reach = 4

/**
 * Puts what can run here first, of an answer that is asked for running; then what the user need only permit, then the rest in its
 * order. What failed stands behind whatever did not, and nothing untried falls below it.
 *
 * @param shown - best first
 * @param behind - what follows: taken in the place of one that cannot run when it matches comparably well
 * @returns as many as are shown
 */
export function readyFirst<Found extends ScoredCard>(
  shown: readonly Found[],
  behind: readonly Found[],
): readonly Found[] {
  const [best, last] = [shown[0]?.score ?? 0, shown.at(-1)?.score ?? 0]
  const pool = [...shown, ...behind.filter(({ score }) => score > 0 && score >= comparable * last)]
  const isMatch = ({ score, signals }: Found): boolean =>
    score >= leastMatch * best && signals.record?.speaks !== 'against'
  const ready = pool.filter((card) => isMatch(card) && card.signals.obstacle === undefined)
  const permittable = pool.filter((card) => isMatch(card) && card.signals.obstacle?.kind === 'permission')
  const led = new Set([...ready, ...permittable])
  const rest = pool.filter((card) => !led.has(card))
  return [...ready, ...permittable, ...rest].slice(0, shown.length)
}

/**
 * Searches for what is to be run: each candidate that cannot run here says why, and stands behind those that can. An answer in
 * which all can run is as the search gives it.
 *
 * @param search - as it is without this
 * @param plan - what a run would start; starts nothing
 */
export async function searchForRunning(
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
  plan: Probing['plan'],
): Promise<SearchAnswer> {
  const answer = await search(request)
  const shown = await withObstacles(answer.candidates, plan)
  if (shown.every(({ signals }) => signals.obstacle === undefined)) return answer
  const wanted = Math.max(shown.length, request.k ?? 0)
  const further = await search({ ...request, enough: false, k: Math.min(100, reach * wanted) })
  const known = new Set(shown.map(({ card }) => card.id))
  const behind = further.candidates.filter(({ card }) => !known.has(card.id))
  return { ...answer, candidates: readyFirst(shown, await withObstacles(behind, plan)) }
}

async function withObstacles(
  candidates: readonly ScoredCard[],
  plan: Probing['plan'],
): Promise<readonly ScoredCard[]> {
  const plans = await plan({
    cards: candidates.map(({ card }) => card),
    tasks: { kind: 'given', tasks: [] },
  })
  return candidates.map((candidate, at) => {
    const why = plans[at]!.notRun
    if (why === null) return candidate
    const obstacle =
      why.kind === 'permission'
        ? why
        : ({ kind: 'runtime', message: why.message, remedy: why.remedy } as const)
    return { ...candidate, signals: { ...candidate.signals, obstacle } }
  })
}
