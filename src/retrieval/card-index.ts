import type { Card } from '../domain/card.ts'
import { analyzerVersion } from './analyze.ts'
import { type CardColumns, cardColumns, packColumns } from './card-columns.ts'
import { textsOf } from './card-texts.ts'
import { type LexicalIndex, lexicalIndex } from './lexical-index.ts'
import { postingsBuilder } from './postings.ts'
import { packSections, unpackSections } from './sections.ts'

/** Everything a search reads of one kind of card, opened over one packed buffer. */
export type CardIndex = CardColumns & LexicalIndex

/** Raised with every change of the layout, the analyzer or the weights: an image of another version is built anew. */
export const imageVersion = `1.${analyzerVersion}`

/**
 * Packs the search image of all cards of one kind: words, columns and near-duplicate signatures.
 *
 * @param cards - in any order, ids distinct
 * @param onProgress - called with the share done, 0..1
 */
export function packCardIndex(cards: readonly Card[], onProgress?: (share: number) => void): Uint8Array {
  const sorted = [...cards].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const postings = postingsBuilder()
  sorted.forEach((card, index) => {
    postings.add(textsOf(card))
    if (index % 1000 === 999) onProgress?.(index / sorted.length)
  })
  return packSections(
    { version: imageVersion, size: sorted.length },
    { ...packColumns(sorted), ...postings.sections() },
  )
}

/** @returns the opened index, or null when another version made the image */
export function openCardIndex(image: Uint8Array): CardIndex | null {
  const sections = unpackSections(image)
  if (sections.meta.version !== imageVersion) return null
  const columns = cardColumns(sections)
  return { ...columns, ...lexicalIndex(sections, columns.size) }
}
