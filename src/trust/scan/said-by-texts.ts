import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { textsOfCard } from './card-texts.ts'
import { scanText } from './scan-text.ts'

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
