import type { EvaluationRun, QueryOutcome, RunCandidate } from '../../runs/evaluation-run.ts'
import { headlineOf } from '../report-input.ts'
import { type DetailLevel, fullCandidates, relevantKept } from './detail-level.ts'

/** A query of the report. */
export type KeptQuery = RankedQuery & {
  /** Whether it is kept in full. */
  readonly full: boolean
  /** How many of its first candidates are kept. */
  readonly shown: number
}

/** The candidates of a query that are kept. */
export const candidatesOf = ({ outcome, shown }: KeptQuery): readonly RunCandidate[] =>
  outcome.candidates.slice(0, shown)

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

/** Chooses queries for a level of detail. `every` takes only each so many-th of them: a sample. */
type KeepQueries = (level: DetailLevel, every?: number) => readonly KeptQuery[]

/** Which queries of a run are kept at each level of detail, in the order of the run. */
export function keptQueries(run: EvaluationRun, baseline: EvaluationRun | undefined): KeepQueries {
  const headline = headlineOf(run)
  const known = new Map(baseline?.outcomes.map((outcome) => [keyOf(outcome), outcome]))
  const ranked = run.outcomes.map((outcome) => rankedQuery(outcome, known.get(keyOf(outcome))))
  const telling = byInterest(
    run.outcomes,
    ranked.map((query) => interest(query.outcome, query.baseline, headline)),
  )
  const turns = new Uint32Array(ranked.length)
  for (const [turn, position] of telling.entries()) turns[position] = turn
  return (level, every = 1) => {
    const positions = [...turns.keys()].filter((position) => turns[position]! < level.queries)
    return positions
      .filter((_, at) => at % every === 0)
      .map((position) => {
        const { outcome, baseline, before, relevant } = ranked[position]!
        const full = turns[position]! < level.full
        const shown = Math.min(outcome.candidates.length, full ? fullCandidates : level.candidates)
        return { outcome, baseline, before, relevant, full, shown }
      })
  }
}

/** A relevant candidate with its ranks, from 1, in the run and in the baseline; 0 where it was not retrieved. */
type RankedRelevant = {
  readonly id: string
  readonly grade: number
  readonly rank: number
  readonly before: number
}

/** A query of a run beside the same query of the baseline. */
type RankedQuery = {
  readonly outcome: QueryOutcome
  readonly baseline: QueryOutcome | undefined
  /** Ranks in the baseline of the first candidates, from 1; 0 where it was not retrieved. */
  readonly before: readonly number[]
  /** The most relevant first, then by id. */
  readonly relevant: readonly RankedRelevant[]
}

/** Ranks from 1, by id; an id that was not retrieved has none. */
const ranksOf = (outcome: QueryOutcome | undefined): ReadonlyMap<string, number> =>
  new Map(outcome?.candidates.map(({ id }, at) => [id, at + 1]))

/** Looks ranks up once: a report is packed at several levels of detail. */
function rankedQuery(outcome: QueryOutcome, baseline: QueryOutcome | undefined): RankedQuery {
  const ranks = ranksOf(outcome)
  const ranksBefore = ranksOf(baseline)
  const before = outcome.candidates.slice(0, fullCandidates).map(({ id }) => ranksBefore.get(id) ?? 0)
  const relevant = Object.entries(outcome.relevant)
    .sort(([a, gradeOfA], [b, gradeOfB]) => gradeOfB - gradeOfA || (a < b ? -1 : 1))
    .slice(0, relevantKept)
    .map(([id, grade]) => ({ id, grade, rank: ranks.get(id) ?? 0, before: ranksBefore.get(id) ?? 0 }))
  return { outcome, baseline, before, relevant }
}
