import type { ScoredCard, SearchAnswer } from '../../retrieval/answer.ts'
import type { CandidateReport, ProbeReport } from './probe-report.ts'
import { readyFirst } from './ready-first.ts'

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
    ...{ id, before: places.get(id)!, result },
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
