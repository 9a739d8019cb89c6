import type { Audition } from '../../compose/audition.ts'
import type { SourceState } from '../../store/source-state.ts'
import { isBound, storedStanding } from '../../trust/standing.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { type SourceReason, sourceReasons } from '../../retrieval/defences/stands-back-text.ts'

/** What the defences hold against cards of a source. */
export type HeldAgainst = SourceReason & { readonly source: string }

/** What the defences hold against the sources, whatever is asked for. The user's own are never asked about. */
export async function heldAgainst(
  audition: Pick<Audition, 'standingBack'>,
  sources: readonly SourceState[],
): Promise<readonly HeldAgainst[]> {
  const bound = new Set(sources.filter((state) => isBound(storedStanding(state))).map(({ id }) => id))
  if (bound.size === 0) return []
  const found = await audition.standingBack()
  return found
    .filter(({ source }) => bound.has(source))
    .flatMap((one) => sourceReasons(one).map((reason) => ({ source: one.source, ...reason })))
}

/** One sentence, without the command that lifts it. */
export const heldAgainstText = ({ source, cards, text }: HeldAgainst): string =>
  `${countOf(cards.length, 'card')} of "${printableLine(source)}" ${text}`

/** Whose words a source holds, in a sentence. */
export const standingTexts = {
  installed: 'installed: yours; no defence holds its cards back',
  accepted: 'accepted: you trust it as if it were yours; no defence holds its cards back',
  stranger: 'stranger: others published it; cards written to be found stand back a little',
  newcomer:
    'stranger: others published it, not long ago; yours and longer known cards that serve lead its cards',
  distrusted: 'distrusted by you: cards written to be found stand behind all others',
} as const
