import type { EvaluationRun, QueryOutcome, RunCandidate } from '../../evaluation-run.ts'
import { headlineOf } from '../report-input.ts'
import { type DetailLevel, fullCandidates, relevantKept } from './detail-level.ts'

/** A query of the report, with the baseline's outcome for it. */
export type KeptQuery = {
  readonly outcome: QueryOutcome
  readonly baseline?: QueryOutcome
  /** Whether it is kept in full. */
  readonly full: boolean
  /** The first candidates of its ranking, as many as are kept. */
  readonly candidates: readonly RunCandidate[]
  /** The most relevant candidates first, then by id, each with its grade. */
  readonly relevant: readonly (readonly [string, number])[]
}

/** Queries are the same when part, id and text are. */
const keyOf = ({ part, id, text }: QueryOutcome): string => `${part}\u0000${id}\u0000${text}`

/** The headline measure of a query, or the one that stands for it where no ranking can be measured. */
const headlineValue = ({ measures }: QueryOutcome, headline: string): number =>
  measures[headline] ?? Object.values(measures)[0] ?? 0

/** How much a query tells: its change against the baseline, else how far it is from perfect. */
const interest = (outcome: QueryOutcome, baseline: QueryOutcome | undefined, headline: string): number =>
  baseline === undefined
    ? 1 - headlineValue(outcome, headline)
    : Math.abs(headlineValue(outcome, headline) - headlineValue(baseline, headline))

/**
 * Positions of a run's queries, the most telling first, each part in its turn: the first of every part, then the second
 * of every part, so that no part fills the report alone.
 */
function byInterest(outcomes: readonly QueryOutcome[], interests: readonly number[]): number[] {
  const positions = outcomes.map((_, position) => position)
  const ranked = positions.toSorted((a, b) => (interests[b] ?? 0) - (interests[a] ?? 0) || a - b)
  const turn = new Map<string, number>()
  const turns = new Map<number, number>()
  for (const position of ranked) {
    const part = outcomes[position]?.part ?? ''
    const count = turn.get(part) ?? 0
    turn.set(part, count + 1)
    turns.set(position, count)
  }
  return ranked.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0))
}

const relevantOf = (outcome: QueryOutcome): KeptQuery['relevant'] =>
  Object.entries(outcome.relevant)
    .sort(([a, gradeOfA], [b, gradeOfB]) => gradeOfB - gradeOfA || (a < b ? -1 : 1))
    .slice(0, relevantKept)

/** Which queries of a run are kept at each level of detail, in the order of the run. */
export function keptQueries(
  run: EvaluationRun,
  baseline: EvaluationRun | undefined,
): (level: DetailLevel) => readonly KeptQuery[] {
  const { outcomes } = run
  const headline = headlineOf(run)
  const known = new Map(baseline?.outcomes.map((outcome) => [keyOf(outcome), outcome]))
  const paired = outcomes.map((outcome) => known.get(keyOf(outcome)))
  const telling = byInterest(
    outcomes,
    outcomes.map((outcome, at) => interest(outcome, paired[at], headline)),
  )
  const relevant = outcomes.map(relevantOf)
  return (level) => {
    const listed = new Set(telling.slice(0, level.queries))
    const inFull = new Set(telling.slice(0, level.full))
    return outcomes.flatMap((outcome, at) => {
      if (!listed.has(at)) return []
      const full = inFull.has(at)
      const before = paired[at]
      const candidates = outcome.candidates.slice(0, full ? fullCandidates : level.candidates)
      return [
        {
          outcome,
          full,
          candidates,
          relevant: relevant[at]!,
          ...(before === undefined ? {} : { baseline: before }),
        },
      ]
    })
  }
}
