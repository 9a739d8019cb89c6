import { deflateRawSync } from 'node:zlib'
import { printable } from '../../../domain/text/printable.ts'
import type { Signals } from '../../../retrieval/answer.ts'
import type { EvaluationRun } from '../../runs/evaluation-run.ts'
import { isVerdictMeasure } from '../../measures/verdict-measures.ts'
import { type DetailLevel, fullText } from './detail-level.ts'
import { candidatesOf, type KeptQuery } from './kept-queries.ts'
import type { PackedDetails, PackedList, PackedSignals, QueryFacts } from './packed-queries.ts'

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
