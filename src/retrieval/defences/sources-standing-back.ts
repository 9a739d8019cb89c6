import type { CardKind } from '../../domain/card.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { Standing } from '../../store/source-state.ts'
import { isBound, type Standings } from '../../trust/standing.ts'
import type { StandsBackSignal } from '../answer.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { Reason, StandsBack } from '../rank/ranked-card.ts'

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

/** Why cards stand back, as the end of "it stands back because". */
const reasonTexts: { readonly [reason in Reason]: string } = {
  'publisher-shape': 'many descriptions of the source are bare lists of words or read like requests',
  copy: 'the source mostly copies cards of other sources',
  echo: 'its description repeats this request word for word',
  excess: 'it holds more of the words of this request than a card of its length does',
}

/** The command that lifts it. */
const liftCommand = (source: string): string =>
  `audition sources trust ${shellWord(printableLine(source), process.platform)}`

/** What is told of a candidate that stands back. */
export const standsBackText = (
  { share, reason }: StandsBack,
  source: string,
  standing: Standing,
): StandsBackSignal => ({
  share,
  because: `${standing === 'distrusted' ? 'you distrust the source, and ' : ''}${reasonTexts[reason]}`,
  lift: liftCommand(source),
})

/** What the defences hold against some cards of a source, whatever is asked for. */
export type SourceReason = {
  /** Ids, ascending. */
  readonly cards: readonly string[]
  /** What becomes of them and why: the end of a sentence that begins with them. */
  readonly text: string
  readonly lift: string
}

/** @returns one per kind of reason */
export function sourceReasons({
  source,
  standing,
  shaped,
  copies,
}: SourceStandsBack): readonly SourceReason[] {
  const lift = liftCommand(source)
  const stand = (cards: readonly string[]): string => (cards.length === 1 ? 'stands' : 'stand')
  const becauseShaped =
    standing === 'distrusted'
      ? `behind all others because you distrust the source, and ${reasonTexts['publisher-shape']}`
      : `back sooner than others would, for requests whose words they hold, because ${reasonTexts['publisher-shape']}`
  return [
    ...(shaped.length === 0 ? [] : [{ cards: shaped, text: `${stand(shaped)} ${becauseShaped}`, lift }]),
    ...(copies.length === 0
      ? []
      : [{ cards: copies, text: `${stand(copies)} back because ${reasonTexts.copy}`, lift }]),
  ]
}
