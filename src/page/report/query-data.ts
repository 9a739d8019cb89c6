import type { PackedDetails, PackedList, RareSignals } from '../../evaluation/report/packed-queries.ts'

/** Why a candidate stands where it does. */
export type ShownSignals = RareSignals & {
  /** Of a hundred. */
  readonly coverage: number
  readonly matched: readonly string[]
  readonly lexical: number | null
  readonly dense: number | null
  readonly crossEncoder: number | null
}

/** Ranks are from 1; 0 for not retrieved. */
export type ShownCandidate = {
  readonly id: string
  readonly score: number | null
  readonly grade: number
  readonly before: number
  readonly signals: ShownSignals | undefined
}

export type ShownRelevant = {
  readonly id: string
  readonly grade: number
  readonly rank: number
  readonly before: number
}

/** One query's ranking. */
export type QueryDetails = {
  readonly candidates: readonly ShownCandidate[]
  readonly relevant: readonly ShownRelevant[]
}

/** A value as the report packs it: JSON, raw deflate, base64. */
export async function unpacked<Value>(letters: string): Promise<Value> {
  const decoded = atob(letters)
  const bytes = new Uint8Array(decoded.length)
  for (let at = 0; at < decoded.length; at++) bytes[at] = decoded.charCodeAt(at)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(stream).json()) as Value
}

function signalsOf({ signals }: PackedDetails, query: number, rank: number): ShownSignals | undefined {
  const kept = signals[query]
  if (kept === undefined || kept === 0) return undefined
  const coverage = kept.coverage[rank] ?? null
  if (coverage === null) return undefined
  return {
    ...(kept.extras[rank] || {}),
    coverage,
    matched: (kept.matched[rank] ?? []).map((word) => kept.words[word] ?? ''),
    lexical: kept.lexical[rank] ?? null,
    dense: kept.dense[rank] ?? null,
    crossEncoder: kept.crossEncoder[rank] ?? null,
  }
}

/** The ranking of a query. */
export const detailsOf = (packed: PackedDetails, query: number): QueryDetails => ({
  candidates: (packed.candidates[query] ?? []).map((id, rank) => ({
    id: packed.ids[id] ?? '',
    score: packed.scores[query]?.[rank] ?? null,
    grade: packed.grades[query]?.[rank] ?? 0,
    before: packed.before[query]?.[rank] ?? 0,
    signals: signalsOf(packed, query, rank),
  })),
  relevant: (packed.relevant[query] ?? []).map(([id, grade, rank, before]) => {
    return { id: packed.ids[id] ?? '', grade, rank, before }
  }),
})

/** Change of the headline measure; NaN when either run lacks it. */
export const changeOf = ({ measures, baseline }: PackedList, at: number): number =>
  (measures[0]?.[at] ?? Number.NaN) - (baseline[at] ?? Number.NaN)

/** Changes smaller than this are roundings. */
const leastChange = 0.00015

/** What a change is called: more than a rounding, or the same. */
export const changeName = (change: number): 'worse' | 'better' | 'same' =>
  change <= -leastChange ? 'worse' : change >= leastChange ? 'better' : 'same'

/** What of the queries is wanted; an empty text asks for nothing. */
export type Wanted = {
  /** Words that must all be in the query or its id. */
  readonly text: string
  /** Numbers of a part and a group. */
  readonly part: string
  readonly group: string
  /** What the answer said: `good`, `weak` or `none`. */
  readonly match: string
  /** `worse`, `better` or `same`. */
  readonly change: string
  /** `kept` for queries whose reasons are in the page. */
  readonly reasons: string
  /** `run`, `low`, `high`, `loss` or `win`. */
  readonly order: string
}

export const everything: Wanted = {
  text: '',
  part: '',
  group: '',
  match: '',
  change: '',
  reasons: '',
  order: 'run',
}

/** Texts with their ids in lower case, for finding words; made when they are first searched. */
const lowered = new WeakMap<PackedList, readonly string[]>()

function loweredTexts(list: PackedList): readonly string[] {
  const known = lowered.get(list)
  if (known !== undefined) return known
  const texts = list.texts.map((text, at) => `${text}\n${list.ids[at]}`.toLowerCase())
  lowered.set(list, texts)
  return texts
}

function admits(list: PackedList, wanted: Wanted): (at: number) => boolean {
  const { part, group, match, change, reasons } = wanted
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean)
  const texts = words.length === 0 ? [] : loweredTexts(list)
  const changed = (by: number): boolean => !Number.isNaN(by) && changeName(by) === change
  return (at) =>
    (part === '' || list.part[at] === Number(part)) &&
    (group === '' || list.group[at] === Number(group)) &&
    (match === '' || list.match[at] === match) &&
    (change === '' || changed(changeOf(list, at))) &&
    (reasons === '' || list.explained[at] === 1) &&
    words.every((word) => texts[at]?.includes(word))
}

/** The number by which a query is sorted, smallest first. */
function keyOf(list: PackedList, order: string, at: number): number {
  const value =
    order === 'low' || order === 'high' ? (list.measures[0]?.[at] ?? Number.NaN) : changeOf(list, at)
  if (Number.isNaN(value)) return Number.POSITIVE_INFINITY
  return order === 'low' || order === 'loss' ? value : -value
}

/**
 * Positions of the queries that are wanted, in the order wanted; those without the number they are sorted by come last,
 * equals as in the run.
 */
export function wantedQueries(list: PackedList, wanted: Wanted): readonly number[] {
  const found = [...list.texts.keys()].filter(admits(list, wanted))
  if (wanted.order === 'run') return found
  const keys = new Map(found.map((at) => [at, keyOf(list, wanted.order, at)]))
  const of = (at: number): number => keys.get(at) ?? 0
  return found.sort((a, b) => (of(a) === of(b) ? a - b : of(a) < of(b) ? -1 : 1))
}
