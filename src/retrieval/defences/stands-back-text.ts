import type { Standing } from '../../store/source-state.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { StandsBackSignal } from '../answer.ts'
import type { SourceStandsBack } from './sources-standing-back.ts'
import type { Reason, StandsBack } from '../rank/ranked-card.ts'

/** Why cards stand back, as the end of "it stands back because". */
const reasonTexts: { readonly [reason in Reason]: string } = {
  'publisher-shape': 'many descriptions of the source are bare lists of words or read like requests',
  copy: 'the source mostly copies cards of other sources',
  echo: 'its description repeats this request word for word',
  excess: 'it holds more of the words of this request than a card of its length does',
}

/** The command that lifts it. @param platform - whose shell it is for */
const liftCommand = (source: string, platform: string = process.platform): string =>
  `audition sources trust ${shellWord(printableLine(source), platform)}`

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
