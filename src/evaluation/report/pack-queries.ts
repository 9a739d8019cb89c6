import { deflateRawSync } from 'node:zlib'
import { printable } from '../../domain/text/printable.ts'
import { isVerdictMeasure } from '../measures/measures.ts'
import {
  type DetailLevel,
  detailLevels,
  fullCandidates,
  fullText,
  type PackedDetails,
  type PackedList,
  type PackedSignals,
  type QueryFacts,
  relevantKept,
} from './packed-queries.ts'
import { headlineOf } from './numbers.ts'
import type { EvaluationRun, QueryOutcome, RunCandidate } from '../runs/evaluation-run.ts'
import type { Signals } from '../../retrieval/answer.ts'

/** Bytes that packed queries take in a page. */
export const bytesOf = ({ list, details }: PackedQueries): number => list.length + details.length

/** Queries of a sample that tells whether a level can fit at all. */
const sampleSize = 3000

/** What a whole takes of what its sample promises, at the least: the dictionary of ids grows less than the run. */
const leastShare = 0.85

/**
 * Packs a run's queries with as much detail as fits. Of a large run, a sample is packed first, so that hopeless levels
 * cost little.
 *
 * @param budget - bytes that queries may take; the last level is taken even if it is over
 */
export function fitQueries(
  run: EvaluationRun,
  baseline: EvaluationRun | undefined,
  budget: number,
): PackedQueries {
  const keep = keptQueries(run, baseline)
  let smallest: PackedQueries | undefined
  for (const level of detailLevels) {
    const every = Math.floor(Math.min(run.outcomes.length, level.queries) / sampleSize)
    const promised = every < 4 ? 0 : every * bytesOf(packQueries(run, keep(level, every), level))
    if (promised * leastShare > budget) continue
    smallest = packQueries(run, keep(level), level)
    if (bytesOf(smallest) <= budget) break
  }
  return smallest ?? packQueries(run, [], detailLevels[0]!)
}

/** A query of the report. */
export type KeptQuery = RankedQuery & {
  /** Whether it is kept in full. */
  readonly full: boolean
  /** How many of its first candidates are kept. */
  readonly shown: number
}

/** The candidates of a query that are kept. */
const candidatesOf = ({ outcome, shown }: KeptQuery): readonly RunCandidate[] =>
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

/** A run's queries, ready to stand in a page. */
export type PackedQueries = { readonly facts: QueryFacts; readonly list: string; readonly details: string }

/** A value as the page's script reads it: JSON, raw deflate, base64. */
export const packed = (value: unknown): string =>
  deflateRawSync(JSON.stringify(value), { level: 9, memLevel: 9 }).toString('base64')

/** A text cut to a length, marked where it was, and never within a surrogate pair. */
function cut(text: string, letters: number): string {
  if (text.length <= letters) return text
  const last = text.charCodeAt(letters - 2)
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? letters - 2 : letters - 1)}…`
}

/** An id as the page shows it: long enough to know it by. */
export const shownId = (id: string): string => cut(printable(id), 200)

/** A number to so many decimals; null for none and for what is no number. */
const rounded = (value: number | undefined, decimals: number): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Number(value.toFixed(decimals))

/** A number to the three digits that are shown. */
const threeDigits = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(3))

/** Whole numbers take less room than fractions. */
const hundredths = (value: number | undefined): number | null =>
  rounded(value === undefined ? value : 100 * value, 0)

/** The distinct texts, sorted so that neighbours share their beginnings, and the number of each. */
function numbered(texts: Iterable<string>): {
  readonly texts: readonly string[]
  numberOf(text: string): number
} {
  const sorted = [...new Set(texts)].sort()
  const numbers = new Map(sorted.map((text, number) => [text, number]))
  return { texts: sorted, numberOf: (text) => numbers.get(text)! }
}

/** Why candidates of a query stand where they do, in columns; 0 where that is not kept. */
function signalsOf(query: KeptQuery): PackedSignals | 0 {
  if (!isExplained(query)) return 0
  const signals = candidatesOf(query).map((candidate) => candidate.signals)
  const words = [...new Set(signals.flatMap((one) => one?.matched ?? []))]
  const column = <Value>(value: (one: Signals) => Value): (Value | null)[] =>
    signals.map((one) => (one === undefined ? null : value(one)))
  const extras = column(({ lift, facets, duplicates }) => ({
    ...(lift === undefined
      ? {}
      : { lift: { from: printable(lift.from), share: rounded(lift.share, 2) ?? 0 } }),
    ...(facets.length === 0 ? {} : { facets }),
    ...(duplicates.length === 0 ? {} : { duplicates: duplicates.map(printable) }),
  }))
  return {
    words: words.map(printable),
    matched: column(({ matched }) => matched.map((word) => words.indexOf(word))),
    coverage: column(({ coverage }) => hundredths(coverage) ?? 0),
    lexical: column(({ lexical }) => threeDigits(lexical)),
    dense: column(({ dense }) => hundredths(dense)),
    crossEncoder: column(({ crossEncoder }) => rounded(crossEncoder, 3)),
    extras: extras.map((one) => (one === null || Object.keys(one).length === 0 ? 0 : one)),
  }
}

function listOf(kept: readonly KeptQuery[], names: QueryFacts, level: DetailLevel): PackedList {
  const [headline = ''] = names.measures
  const part = new Map(names.parts.map((name, number) => [name, number]))
  const group = new Map(names.groups.map((name, number) => [name, number]))
  return {
    texts: kept.map(({ outcome, full }) => cut(printable(outcome.text), full ? fullText : level.letters)),
    ids: kept.map(({ outcome }) => shownId(outcome.id)),
    part: kept.map(({ outcome }) => part.get(outcome.part) ?? 0),
    group: kept.map(({ outcome }) => group.get(outcome.group ?? '') ?? -1),
    match: kept.map(({ outcome }) => outcome.match),
    tokens: kept.map(({ outcome }) => Math.round(outcome.tokens)),
    explained: kept.map((query) => (isExplained(query) ? 1 : 0)),
    baseline: kept.map(({ baseline }) => rounded(baseline?.measures[headline], 4)),
    measures: names.measures.map((name) => kept.map(({ outcome }) => rounded(outcome.measures[name], 4))),
  }
}

const isExplained = (query: KeptQuery): boolean =>
  query.full && candidatesOf(query).some(({ signals }) => signals !== undefined)

function detailsOf(kept: readonly KeptQuery[]): PackedDetails {
  const shown = kept.map(candidatesOf)
  const ids = numbered(
    kept.flatMap(({ relevant }, at) => [...(shown[at] ?? []), ...relevant].map(({ id }) => id)),
  )
  return {
    ids: ids.texts.map(printable),
    candidates: shown.map((some) => some.map(({ id }) => ids.numberOf(id))),
    scores: shown.map((some) => some.map(({ score }) => threeDigits(score))),
    grades: kept.map(({ outcome }, at) => (shown[at] ?? []).map(({ id }) => outcome.relevant[id] ?? 0)),
    before: kept.map(({ before, shown: count }) => before.slice(0, count)),
    relevant: kept.map(({ relevant }) =>
      relevant.map(({ id, grade, rank, before }) => [ids.numberOf(id), grade, rank, before] as const),
    ),
    signals: kept.map(signalsOf),
  }
}

/** Packs the queries that are kept at a level of detail. Equal input gives equal bytes. */
export function packQueries(
  run: EvaluationRun,
  kept: readonly KeptQuery[],
  level: DetailLevel,
): PackedQueries {
  const facts: QueryFacts = {
    parts: [...new Set(run.outcomes.map(({ part }) => part))],
    groups: [...new Set(run.outcomes.flatMap(({ group }) => group ?? []))].sort(),
    measures: run.measures.filter((name, at) => at < level.measures || isVerdictMeasure(name)),
    queries: kept.length,
    ofQueries: run.outcomes.length,
    full: kept.filter(({ full }) => full).length,
    letters: level.letters,
    candidates: level.candidates,
    hasBaseline: kept.some(({ baseline }) => baseline !== undefined),
  }
  return { facts, list: packed(listOf(kept, facts, level)), details: packed(detailsOf(kept)) }
}
