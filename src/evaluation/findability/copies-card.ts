import type { Card } from '../../domain/card.ts'
import { analyze } from '../../retrieval/text/analyze.ts'
import { textsOf } from '../../retrieval/text/card-texts.ts'
import { plainWords } from '../host-rankers/host-ranker.ts'

/** Words in a row that nobody hits by chance. */
const phraseLength = 4

const phrases = (text: string): string[] => {
  const terms = analyze(text)
  return Array.from({ length: Math.max(0, terms.length - phraseLength + 1) }, (_, index) =>
    terms.slice(index, index + phraseLength).join(' '),
  )
}

/** Whether a request repeats four telling words of the card in a row: such a request measures copying, not search. */
export function copiesCard(query: string, card: Card): boolean {
  const own = new Set(Object.values(textsOf(card)).flatMap(phrases))
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
