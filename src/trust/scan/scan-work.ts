import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { type CutFor, cutSuspected, type CutText, type ReadableText } from './cut-suspected.ts'
import { saidByTexts } from './said-by-texts.ts'

/** Texts that are no card's, such as answers, out of which sentences are cut. */
type TextsToCut = { readonly texts: readonly ReadableText[]; readonly cutFor: CutFor }

/** What is looked through at a time: a card, of which it is told what its texts say, or other texts. */
export type ScanWork = Card | TextsToCut

export type ScanAnswer<Work extends ScanWork> = Work extends TextsToCut
  ? readonly (CutText | null)[]
  : readonly Finding[]

export const answerTo = <Work extends ScanWork>(work: Work): ScanAnswer<Work> =>
  ('texts' in work
    ? work.texts.map((text) => cutSuspected(text, work.cutFor))
    : saidByTexts(work as Card)) as ScanAnswer<Work>
