import { isBound, type Standings } from '../../trust/standing.ts'
import type { Standing } from '../../store/source-state.ts'
import type { CardKind } from '../../domain/card.ts'
import type { CardIndex } from '../index/card-index.ts'

/** What the defences hold against the cards of a source, whatever is asked for. */
export type SourceStandsBack = {
  readonly source: string
  readonly standing: Standing
  /** Cards of publishers whose descriptions are, too often, lists of words or requests: read more strictly, or behind all others. */
  readonly shaped: readonly string[]
  /** Cards that say nothing which another source does not say: they stand back. */
  readonly copies: readonly string[]
}

/** The sources of which any card stands back or is read more strictly, by id; ids of cards ascending. */
export function sourcesStandingBack(
  indexes: {
    readonly [kind in CardKind]: CardIndex
  },
): readonly SourceStandsBack[] {
  const found = new Map<string, { standing: Standing; shaped: string[]; copies: string[] }>()
  for (const index of Object.values(indexes)) {
    const { defences, ids } = index
    for (let document = 0; document < index.size; document++) {
      const standing = index.standing(document)
      const isShaped = defences.isDoubtful(document)
      if (!isBound(standing) || (!isShaped && !defences.isSpare(document))) continue
      const source = index.source(document)
      const known = found.get(source) ?? { standing, shaped: [], copies: [] }
      found.set(source, known)
      known[isShaped ? 'shaped' : 'copies'].push(ids.at(document))
    }
  }
  return [...found]
    .map(([source, { standing, shaped, copies }]) => ({ source, standing, shaped, copies }))
    .sort((a, b) => (a.source < b.source ? -1 : 1))
}

/** Whose words the sources of a catalog hold, as its search images say. */
export function standingsIn(indexes: { readonly [kind in CardKind]: CardIndex }): Standings {
  const known = new Map<string, Standing>()
  for (const index of Object.values(indexes)) {
    for (let document = 0; document < index.size; document++)
      known.set(index.source(document), index.standing(document))
  }
  return (source) => known.get(source) ?? 'installed'
}
