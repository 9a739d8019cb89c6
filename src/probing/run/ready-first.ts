import type { Card } from '../../domain/card.ts'
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
 * Searches for what is to be run: each candidate that cannot run here says why, and stands behind those that can. A near-copy that
 * was folded into it and can run takes its place. An answer in which all can run is as the search gives it.
 *
 * @param search - as it is without this
 * @param here - what a run would start, which starts nothing; and cards by their ids
 */
export async function searchForRunning(
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
  here: Here,
): Promise<SearchAnswer> {
  const answer = await search(request)
  const shown = await ableCopies(answer.candidates, here)
  if (shown.every(({ signals }) => signals.obstacle === undefined)) return { ...answer, candidates: shown }
  const wanted = Math.max(shown.length, request.k ?? 0)
  const further = await search({ ...request, enough: false, k: Math.min(100, reach * wanted) })
  const known = new Set(answer.candidates.map(({ card }) => card.id))
  const behind = further.candidates.filter(({ card }) => !known.has(card.id))
  return { ...answer, candidates: readyFirst(shown, await ableCopies(behind, here)) }
}

type Here = {
  readonly plan: Probing['plan']
  readonly cards: (ids: readonly string[]) => Promise<readonly Card[]>
}

/** Candidates with what keeps them from running; in place of one that cannot run, its near-copy that can, or could with leave. */
async function ableCopies(candidates: readonly ScoredCard[], here: Here): Promise<readonly ScoredCard[]> {
  const told = await withObstacles(candidates, here)
  return Promise.all(
    told.map(async (candidate, at) => {
      const { card, signals } = candidates[at]!
      const why = candidate.signals.obstacle
      if (why === undefined || signals.duplicates.length === 0) return candidate
      // The record is of the original.
      const { record, ...rest } = signals
      const copies = (await here.cards(signals.duplicates)).map((copy) => ({
        ...candidate,
        card: copy,
        signals: {
          ...rest,
          duplicates: [card.id, ...signals.duplicates.filter((id) => id !== copy.id)],
        },
      }))
      const planned = await withObstacles(copies, here)
      const permittable = planned.find((copy) => copy.signals.obstacle?.kind === 'permission')
      return (
        planned.find((copy) => copy.signals.obstacle === undefined) ??
        (why.kind === 'runtime' ? permittable : undefined) ??
        candidate
      )
    }),
  )
}

async function withObstacles(
  candidates: readonly ScoredCard[],
  { plan }: Here,
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
