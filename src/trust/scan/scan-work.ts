import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { textsOfCard } from './card-texts.ts'
import { type CutFor, type CutText, cutSuspected, type ReadableText } from './cut-suspected.ts'
import { scanText } from './scan-text.ts'

/** Texts that are no card's, such as answers, out of which sentences are cut. */
type TextsToCut = { readonly texts: readonly ReadableText[]; readonly cutFor: CutFor }

/** Cards as JSON, which is sent in less time than objects are. */
type ManyCards = { readonly cards: readonly string[] }

/** What is looked through at a time: a card, or many, of which it is told what their texts say, or other texts. */
export type ScanWork = Card | ManyCards | TextsToCut

export type ScanAnswer<Work extends ScanWork> = Work extends TextsToCut
  ? readonly (CutText | null)[]
  : Work extends ManyCards
    ? readonly (readonly Finding[])[]
    : readonly Finding[]

export function answerTo<Work extends ScanWork>(work: Work): ScanAnswer<Work>
export function answerTo(work: ScanWork): ScanAnswer<ScanWork> {
  if ('texts' in work) return work.texts.map((text) => cutSuspected(text, work.cutFor))
  if ('cards' in work) return work.cards.map((text) => saidByTexts(JSON.parse(text) as Card))
  return saidByTexts(work)
}

/** What the texts of a card say, whatever other cards are called. */
export function saidByTexts(card: Card): readonly Finding[] {
  const leftOut: string[] = []
  const texts = textsOfCard(card, (field) => leftOut.push(field))
  const cardLength = texts.reduce((sum, { text }) => sum + text.length, 0)
  const said = texts.flatMap((text) => scanText({ ...text, cardLength }))
  return [...said, ...unread(leftOut)]
}

/** No tool needs so many texts that they are not all read: something may be hidden behind the others. */
const unread = ([field]: readonly string[]): readonly Finding[] =>
  field === undefined
    ? []
    : [
        {
          rule: 'too-large',
          severity: 'hard',
          field,
          excerpt: '',
          message: 'holds more texts, or deeper ones, than are looked through',
        },
      ]
