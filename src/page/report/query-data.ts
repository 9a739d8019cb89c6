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
