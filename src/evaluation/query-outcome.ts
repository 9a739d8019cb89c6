import { rank, type Ranking } from '../domain/ranking.ts'
import type { SearchAnswer, Signals } from '../retrieval/answer.ts'
import { isAnswerable, type JudgedQuery } from './datasets/dataset.ts'
import { type Copies, creditCopies, type CreditedJudgements } from './equivalence.ts'
import type { QueryOutcome, RunCandidate } from './evaluation-run.ts'
import type { NamedMeasure, VerdictMeasure } from './measures/measures.ts'
import { defined } from '../domain/defined.ts'

/** Candidates whose signals are kept: those that a person looks at. */
const explained = 10

/** How answers are measured. */
export type Measuring = {
  /** Name of the part the query belongs to. */
  readonly part: string
  readonly measures: readonly NamedMeasure[]
  /** Candidates kept. */
  readonly depth: number
  /** Whether it is of interest how often an answerable query is refused. */
  readonly refusals: boolean
  /** Copies that may earn the labels of what they copy; empty when only labelled cards count. */
  readonly copies: Copies
}

/** What a query was answered with, by a search or by another system. */
export type Answered = {
  /** Best first. */
  readonly candidates: readonly RunCandidate[]
  readonly match: SearchAnswer['match']
  /** Of the answer that a host would get. */
  readonly tokens: number
}

/** The answer of a search. */
export const answeredBy = ({ candidates, match }: SearchAnswer, tokens: number): Answered => ({
  candidates: candidates.map(({ card, score, signals }) => ({ id: card.id, score, signals })),
  match,
  tokens,
})

/**
 * Turns one answer into what a run keeps of it.
 */
export function outcomeOf(
  query: JudgedQuery,
  answer: Answered,
  { part, measures, depth, refusals, copies }: Measuring,
): QueryOutcome {
  const found = answer.candidates.slice(0, depth)
  const ranking = rankingOf(query, found, depth)
  const credited = creditCopies(ranking, query, copies)
  return {
    id: query.id,
    part,
    text: query.text,
    ...(query.group === undefined ? {} : { group: query.group }),
    candidates: ranking.map((candidate, place) => candidateOf(candidate, place, found[place])),
    relevant: relevantOf(credited),
    ...(credited.standIns.size === 0 ? {} : { standIns: Object.fromEntries(credited.standIns) }),
    measures: {
      ...(isAnswerable(query)
        ? measured(query, measures, (measure) => measure.evaluate(ranking, credited))
        : {}),
      ...verdictOn(query, answer, refusals),
    },
    match: answer.match,
    tokens: answer.tokens,
  }
}

/** The verdict of an answer as a measure; of a query that something serves only where refusals are of interest. */
function verdictOn(
  query: JudgedQuery,
  { match }: Answered,
  refusals: boolean,
): { readonly [measure in VerdictMeasure]?: number } {
  const refused = match === 'none' ? 1 : 0
  if (isAnswerable(query)) return refusals ? { answered: 1 - refused } : {}
  return query.exclude === undefined ? { refusal: refused } : { 'refused-absent': refused }
}

/**
 * What was found; of a pool, then the candidates that were not, below all others: a reranker gives back all that it was given. They
 * stay in the order of a first stage, and are tied with each other where there is none.
 */
function rankingOf(query: JudgedQuery, found: readonly RunCandidate[], depth: number): Ranking {
  const ranked = found.map(({ id, score }) => ({ id, score }))
  if (query.pool === undefined || ranked.length >= depth) return rank(ranked)
  const known = new Set(ranked.map(({ id }) => id))
  const missing = query.pool
    .filter((id) => !known.has(id))
    .map((id, place) => ({ id, score: query.poolOrder === 'ranked' ? -1 - place : -1 }))
  return rank(rank([...ranked, ...missing]).slice(0, depth))
}

const candidateOf = (
  { id, score }: RunCandidate,
  place: number,
  found: RunCandidate | undefined,
): RunCandidate =>
  place < explained && found?.id === id && found.signals !== undefined
    ? { id, score, signals: shortened(found.signals) }
    : { id, score }

/** Signals are for people: four decimals say enough and keep the file small. */
function shortened(signals: Signals): Signals {
  const { lexical, dense, reading, crossEncoder, coverage, lift } = signals
  return {
    ...signals,
    ...defined({
      lexical: lexical && rounded(lexical),
      dense: dense && rounded(dense),
      reading: reading && rounded(reading),
      crossEncoder: crossEncoder && rounded(crossEncoder),
      coverage: rounded(coverage),
      lift: lift && { ...lift, share: rounded(lift.share) },
    }),
  }
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** Best grade first; equal ones in the order of the dataset. */
const relevantOf = ({ grades }: CreditedJudgements): QueryOutcome['relevant'] =>
  Object.fromEntries([...grades].filter(([, grade]) => grade > 0).sort(([, a], [, b]) => b - a))

/** What applies to a query goes by how it was labelled: both ways of judging take their means over the same queries. */
const measured = (
  query: JudgedQuery,
  measures: readonly NamedMeasure[],
  take: (measure: NamedMeasure) => number,
): QueryOutcome['measures'] =>
  Object.fromEntries(
    measures.filter((measure) => measure.appliesTo(query)).map((measure) => [measure.name, take(measure)]),
  )
