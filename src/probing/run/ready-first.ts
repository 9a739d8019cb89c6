import type { Card } from '../../domain/card.ts'
import type { ScoredCard, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { Probing } from './probing.ts'
import type { CandidateReport, ProbeReport } from './probe-report.ts'

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
  const described = await withObstacles(candidates, here)
  return Promise.all(
    described.map(async (candidate, at) => {
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

/** A candidate of a shortlist after its probe. */
export type RankedAgain = {
  readonly id: string
  /** Place before the probe, from 1. */
  readonly before: number
  /** Of the ranking that knows the outcomes; null where it fell behind all that were ranked. */
  readonly score: number | null
  readonly result: CandidateReport
}

/**
 * The candidates that were probed, best first by what is known now: nobody takes the place of one that failed, and what could not
 * be run stands behind what could.
 *
 * @param before - the shortlist; each of its candidates has a report
 * @param after - the same search with the outcomes on record, deep enough to hold most of them
 */
export function rankedAgain(
  before: SearchAnswer,
  after: SearchAnswer,
  { candidates }: ProbeReport,
): readonly RankedAgain[] {
  const [reports, ranked, places] = [
    new Map(candidates.map((report) => [report.card, report])),
    new Map(after.candidates.map((found) => [found.card.id, found])),
    new Map(before.candidates.map(({ card }, at) => [card.id, at + 1])),
  ]
  const found = after.candidates.filter(({ card }) => places.has(card.id))
  const lost = before.candidates
    .filter(({ card }) => !ranked.has(card.id))
    .map((candidate) => ({ ...candidate, score: 0 }))
  const known = [...found, ...lost].flatMap((candidate) => {
    const result = reports.get(candidate.card.id)
    return result === undefined ? [] : [{ ...withObstacle(candidate, result), result }]
  })
  return readyFirst(known, []).map(({ card: { id }, result }) => ({
    id,
    before: places.get(id)!,
    result,
    score: ranked.get(id)?.score ?? null,
  }))
}

/** What kept it from running when it was probed, whatever was known before. */
function withObstacle(candidate: ScoredCard, { notRun, runs }: CandidateReport): ScoredCard {
  const { obstacle: _, ...signals } = candidate.signals
  if (runs.length > 0 || (notRun?.kind !== 'permission' && notRun?.kind !== 'runtime'))
    return { ...candidate, signals }
  const obstacle = notRun.kind === 'permission' ? notRun : { ...notRun, kind: 'runtime' as const }
  return { ...candidate, signals: { ...signals, obstacle } }
}
