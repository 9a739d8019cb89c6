import type { CardIndex } from '../../../retrieval/index/card-index.ts'
import { isOff } from '../../../retrieval/index/catalog-image.ts'
import type { Live } from '../../../retrieval/index/documents.ts'
import type { KindChange } from './kind-work.ts'

/** Cards of one segment at most, for each from which a kind is in segments: 60,000, which take about a gigabyte to pack. */
export const mostInSegment = 15
/** Segments beyond which small ones are packed together: each costs every search a little. */
const mostSegments = 40
/** How many of them go then, at most. */
const mostJoined = 10
/** Cards that are packed in one segment besides what changed, where there are not too many: 8,000. */
const mostMerged = 2

/** A former segment, by its place among them, and what stays live in it. */
type FormerSegment = { readonly at: number; readonly live: Live }

/** What becomes of the former segments. */
type SegmentPlan = {
  readonly kept: readonly FormerSegment[]
  /** Those whose cards are packed together with what changed. */
  readonly merged: readonly FormerSegment[]
}

/** @returns null when all is to be packed anew */
export function planSegments(
  former: CardIndex,
  { put, removal }: Omit<KindChange, 'standingOf'>,
  segmentsFrom: number,
): SegmentPlan | null {
  if (isOff(former)) return null
  const lives = livesAfter(former, [...put.map(({ id }) => id), ...removal.ids], removal.sources)
  const counts = lives.map((live) => live.reduce((sum, flag) => sum + flag, 0))
  const merged = new Set([...counts.keys()].filter((at) => counts[at]! < lives[at]!.length / 2))
  let packed = [...merged].reduce((sum, at) => sum + counts[at]!, put.length)
  const merge = (at: number): void => {
    merged.add(at)
    packed += counts[at]!
  }
  const rest = (): number[] => [...counts.keys()].filter((at) => !merged.has(at))
  for (const at of rest().reverse()) {
    if (counts[at]! > packed || packed + counts[at]! > mostMerged * segmentsFrom) break
    merge(at)
  }
  if (rest().length >= mostSegments)
    for (const at of rest()
      .sort((a, b) => counts[a]! - counts[b]!)
      .slice(0, mostJoined))
      if (packed + counts[at]! <= mostInSegment * segmentsFrom) merge(at)
  if (rest().length === 0) return null
  const all = lives.map((live, at): FormerSegment => ({ at, live: counts[at] === live.length ? null : live }))
  return { kept: all.filter(({ at }) => !merged.has(at)), merged: all.filter(({ at }) => merged.has(at)) }
}

/** What stays live of each segment. */
function livesAfter(
  { segments, documents }: CardIndex,
  ids: readonly string[],
  removedSources: readonly string[],
): readonly Uint8Array[] {
  const sources = new Set(removedSources)
  return segments.map(({ columns }, at) => {
    const live = documents.live[at]?.slice() ?? new Uint8Array(columns.size).fill(1)
    for (const id of ids) {
      const place = columns.ids.indexOf(id)
      if (place >= 0) live[place] = 0
    }
    if (sources.size > 0)
      live.forEach((_, place) => {
        if (sources.has(columns.source(place))) live[place] = 0
      })
    return live
  })
}
