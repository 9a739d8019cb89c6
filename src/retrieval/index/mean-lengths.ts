import { fieldNames } from '../text/card-texts.ts'
import type { CardIndex, Segment } from './card-index.ts'
import { averagesOf } from './catalog-image.ts'
import { bm25f } from './postings.ts'

/** How far the weight of a word may be off, on average, since lengths are compared with means that were. */
const mostOff = 0.15

/** Whether lengths are compared with means that are too far from those of the cards: of fields that have many words and count much. */
export function isOff(former: CardIndex): boolean {
  const means = meansOf(former.segments)
  const fields = averagesOf(former).map((used, at) => {
    const { weight, b } = bm25f.fields[fieldNames[at]!]
    return { words: weight * used, off: weight * b * Math.abs(means[at]! - used) }
  })
  const sumOf = (what: 'words' | 'off'): number => fields.reduce((sum, field) => sum + field[what], 0)
  return sumOf('off') > mostOff * sumOf('words')
}

/** The mean length of each field over all cards of some segments, those that are gone among them. */
export function meansOf(segments: readonly Segment[]): readonly number[] {
  const lengths = segments.map(({ sections }) => lengthsIn(sections.meta as SegmentMeta))
  const cards = segments.reduce((sum, { columns }) => sum + columns.size, 0)
  return fieldNames.map((_, field) => lengths.reduce((sum, own) => sum + own[field]!, 0) / cards || 1)
}

/** What lengths are compared with in a segment. */
export const meansIn = ({ sections }: Segment): readonly number[] => (sections.meta as SegmentMeta).averages

type SegmentMeta = {
  readonly size: number
  readonly averages: readonly number[]
  readonly lengths?: readonly number[]
}

/** Terms of all cards, by field. The first segment of an older Audition says means alone, and 1 where there are none. */
const lengthsIn = ({ size, averages, lengths }: SegmentMeta): readonly number[] =>
  lengths ?? averages.map((mean) => (mean === 1 ? 0 : mean * size))
