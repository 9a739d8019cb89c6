import type { Card } from '../../domain/card.ts'
import { analyze, lightStem } from '../../retrieval/text/analyze.ts'
import { textsOf } from '../../retrieval/text/card-texts.ts'
import { plainWords } from '../host-rankers/host-ranker.ts'

/** Words in a row that nobody hits by chance. */
const phraseLength = 4

const runsOf = (terms: readonly string[]): string[] =>
  Array.from({ length: Math.max(0, terms.length - phraseLength + 1) }, (_, index) =>
    terms.slice(index, index + phraseLength).join(' '),
  )

/** Words in a row as they stand, small ones too, and telling words in a row, whatever small ones stand between. */
const phrases = (text: string): string[] => [
  ...runsOf(plainWords(text).map(lightStem)),
  ...runsOf(analyze(text)),
]

/** Many requests are held against one card. */
const phrasesOf = new WeakMap<Card, ReadonlySet<string>>()

/** Whether a request repeats four words of the card in a row, in whatever form: such a request measures copying, not search. */
export function copiesCard(query: string, card: Card): boolean {
  const own = phrasesOf.get(card) ?? new Set(Object.values(textsOf(card)).flatMap(phrases))
  phrasesOf.set(card, own)
  return phrases(query).some((phrase) => own.has(phrase))
}

/** Whether a request holds the whole name or title of the card; one word names nothing. */
export function namesCard(query: string, { name, title = '' }: Card): boolean {
  const asked = ` ${plainWords(query).join(' ')} `
  return [name, title].some((said) => {
    const words = plainWords(said)
    return words.length > 1 && asked.includes(` ${words.join(' ')} `)
  })
}
