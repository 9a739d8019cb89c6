import type { Card } from '../../domain/card.ts'
import { analyze } from '../../retrieval/text/analyze.ts'
import { textsOf } from '../../retrieval/text/card-texts.ts'

/** Words in a row that nobody hits by chance. */
const phraseLength = 4

const phrases = (text: string): string[] => {
  const terms = analyze(text)
  return Array.from({ length: Math.max(0, terms.length - phraseLength + 1) }, (_, index) =>
    terms.slice(index, index + phraseLength).join(' '),
  )
}

/**
 * Whether a request repeats the card: four telling words in a row, or the whole name when it has more than one word.
 * Such a request measures copying, not search.
 */
export function copiesCard(query: string, card: Card): boolean {
  const own = new Set(Object.values(textsOf(card)).flatMap(phrases))
  const name = analyze(card.name)
  const asked = analyze(query).join(' ')
  return (
    phrases(query).some((phrase) => own.has(phrase)) ||
    (name.length > 1 && ` ${asked} `.includes(` ${name.join(' ')} `))
  )
}
