import { deflateRawSync } from 'node:zlib'
import { cutWithin } from '../../domain/text/cut.ts'
import { grouped } from '../../domain/grouped.ts'
import { printable } from '../../domain/text/printable.ts'
import { isVerdictMeasure } from '../measures/measures.ts'
import { toColumn } from './columns.ts'
import { headlineOf } from './numbers.ts'
import {
  fullCandidates,
  fullText,
  type QueryFacts,
  relevantKept,
  type ReportQuery,
  type ReportSignals,
} from './report-queries.ts'
import type { EvaluationRun, QueryOutcome } from '../evaluation-run.ts'
import type { Signals } from '../../retrieval/answer.ts'

/** How much of each query a report keeps. What is left out stands in the run's own file. */
export type DetailLevel = {
  /** Queries listed at all, the telling ones first. */
  readonly queries: number
  /** Queries kept in full: whole text, ten candidates and why each is there. The telling ones first. */
  readonly full: number
  readonly letters: number
  /** Candidates kept of the other queries. */
  readonly candidates: number
  /** Measures kept per query, the headline first. */
  readonly measures: number
}

const all = Number.MAX_SAFE_INTEGER

/**
 * Levels from the most to the least, tried in this order until a report fits. First the reasons of unremarkable queries
 * go, then the tails of texts, then candidates, at last queries.
 */
export const detailLevels: readonly DetailLevel[] = [
  { queries: all, full: all, letters: fullText, candidates: 10, measures: all },
  { queries: all, full: 8000, letters: fullText, candidates: 10, measures: all },
  { queries: all, full: 4000, letters: fullText, candidates: 10, measures: 6 },
  { queries: all, full: 2000, letters: 1000, candidates: 10, measures: 3 },
  { queries: all, full: 2000, letters: 300, candidates: 10, measures: 2 },
  { queries: all, full: 1000, letters: 150, candidates: 10, measures: 1 },
  { queries: all, full: 1000, letters: 100, candidates: 7, measures: 1 },
  { queries: all, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: all, full: 1000, letters: 80, candidates: 3, measures: 1 },
  { queries: all, full: 1000, letters: 60, candidates: 1, measures: 1 },
  { queries: 30_000, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: 10_000, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: 1000, full: 200, letters: 100, candidates: 5, measures: 1 },
  { queries: 100, full: 0, letters: 100, candidates: 1, measures: 1 },
]

/** Queries of a sample that tells whether a level fits. */
const sampleSize = 2000

/** What a whole takes of what its sample promises: distinct ids grow less than the run. */
const shareOfPromise = 0.9

/**
 * Packs a run's queries with as much detail as fits. Of a large run, a sample is packed first, so that levels that
 * will not fit cost little.
 *
 * @param budget - bytes that queries may take; the last level is taken even if it is over
 */
export function fitQueries(
  run: EvaluationRun,
  baseline: EvaluationRun | undefined,
  budget: number,
): PackedQueries {
  const telling = mostTelling(run, baseline)
  for (const level of detailLevels.slice(0, -1)) {
    const every = Math.floor(Math.min(telling.queries.length, level.queries) / sampleSize)
    const promised = every < 4 ? 0 : every * packQueries(telling, level, every).packed.length
    if (promised * shareOfPromise > budget) continue
    const fitted = packQueries(telling, level)
    if (fitted.packed.length <= budget) return fitted
  }
  return packQueries(telling, detailLevels.at(-1)!)
}

/** A query of a run beside the same query of the baseline. */
type PairedQuery = {
  readonly at: number
  readonly outcome: QueryOutcome
  readonly baseline: QueryOutcome | undefined
}

/** The queries of a run, the most telling first. */
type TellingQueries = { readonly run: EvaluationRun; readonly queries: readonly PairedQuery[] }

/**
 * Puts first what tells most, each part in its turn: the first of every part, then the second of every part, so that no
 * part fills the report alone. A query tells by its change against the baseline, else by how far it is from perfect.
 */
export function mostTelling(run: EvaluationRun, baseline: EvaluationRun | undefined): TellingQueries {
  const headline = headlineOf(run)
  const keyOf = ({ part, id, text }: QueryOutcome): string => `${part}\u0000${id}\u0000${text}`
  const headlineValue = ({ measures }: QueryOutcome): number =>
    measures[headline] ?? Object.values(measures)[0] ?? 0
  const known = new Map(baseline?.outcomes.map((outcome) => [keyOf(outcome), outcome]))
  const ranked = run.outcomes
    .map((outcome, at) => {
      const before = known.get(keyOf(outcome))
      const telling = Math.abs(headlineValue(outcome) - (before === undefined ? 1 : headlineValue(before)))
      return { at, outcome, baseline: before, telling }
    })
    .sort((a, b) => b.telling - a.telling)
  const parts = [...grouped(ranked, ({ outcome }) => outcome.part).values()]
  const turns = Math.max(0, ...parts.map((own) => own.length))
  const queries = Array.from({ length: turns }, (_, turn) => parts.flatMap((own) => own[turn] ?? []))
  return { run, queries: queries.flat() }
}

/** A run's queries, ready to stand in a page. */
export type PackedQueries = { readonly facts: QueryFacts; readonly packed: string }

/**
 * Packs the queries that are kept at a level of detail, in the order of the run. Equal input gives equal bytes.
 *
 * @param every - takes only each so many-th: a sample
 */
export function packQueries({ run, queries }: TellingQueries, level: DetailLevel, every = 1): PackedQueries {
  const names = run.measures.filter((name, at) => at < level.measures || isVerdictMeasure(name))
  const kept = queries
    .slice(0, level.queries)
    .flatMap((query, turn) => (turn % every === 0 ? { ...query, full: turn < level.full } : []))
    .sort((a, b) => a.at - b.at)
  const facts: QueryFacts = {
    queries: kept.length,
    ofQueries: run.outcomes.length,
    full: kept.filter(({ full }) => full).length,
    letters: level.letters,
    candidates: level.candidates,
    hasBaseline: kept.some(({ baseline }) => baseline !== undefined),
  }
  return { facts, packed: packed(toColumn(kept.map((query) => reportQuery(query, names, level)))) }
}

/** A value as the page's script reads it: JSON, raw deflate, base64. */
export const packed = (value: unknown): string =>
  deflateRawSync(JSON.stringify(value), { memLevel: 9 }).toString('base64')

/** The rank from 1; 0 where it was not retrieved. */
const rankOf = (outcome: QueryOutcome | undefined, id: string): number =>
  (outcome?.candidates.findIndex((candidate) => candidate.id === id) ?? -1) + 1

function reportQuery(
  { outcome, baseline, full }: PairedQuery & { readonly full: boolean },
  names: readonly string[],
  level: DetailLevel,
): ReportQuery {
  const [now, before] = [outcome, baseline].map((one) => one?.measures[names[0] ?? ''])
  return {
    id: shownId(outcome.id),
    part: printable(outcome.part),
    text: cutWithin(printable(outcome.text), full ? fullText : level.letters),
    group: outcome.group === undefined ? undefined : printable(outcome.group),
    match: outcome.match,
    tokens: Math.round(outcome.tokens),
    measures: Object.fromEntries(names.map((name) => [name, rounded(outcome.measures[name], 4)])),
    change: rounded(now === undefined || before === undefined ? undefined : now - before, 4),
    candidates: outcome.candidates
      .slice(0, full ? fullCandidates : level.candidates)
      .map(({ id, score, signals }) => ({
        id: printable(id),
        grade: outcome.relevant[id] ?? 0,
        before: rankOf(baseline, id),
        score: threeDigits(score),
        signals: full && signals ? reportSignals(signals) : undefined,
      })),
    relevant: Object.entries(outcome.relevant)
      .sort(([a, gradeOfA], [b, gradeOfB]) => gradeOfB - gradeOfA || (a < b ? -1 : 1))
      .slice(0, relevantKept)
      .map(([id, grade]) => ({
        id: printable(id),
        grade,
        before: rankOf(baseline, id),
        rank: rankOf(outcome, id),
      })),
  }
}

const reportSignals = ({
  lexical,
  dense,
  reading,
  crossEncoder,
  coverage,
  matched,
  lift,
  facets,
  duplicates,
}: Signals): ReportSignals => ({
  lexical: threeDigits(lexical),
  dense: rounded(dense, 2),
  reading: rounded(reading, 2),
  crossEncoder: rounded(crossEncoder, 3),
  coverage: rounded(coverage, 2) ?? 0,
  matched: matched.map(printable),
  lift: lift && { from: printable(lift.from), share: rounded(lift.share, 2) ?? 0 },
  facets,
  duplicates: duplicates.map(printable),
})

/** An id as the page shows it: long enough to know it by. */
export const shownId = (id: string): string => cutWithin(printable(id), 200)

/** A number to so many decimals; nothing for what is no number. */
const rounded = (value: number | undefined, decimals: number): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : Number(value.toFixed(decimals))

/** A number to the three digits that are shown. */
const threeDigits = (value: number | undefined): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : Number(value.toPrecision(3))
