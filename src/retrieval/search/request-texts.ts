import type { SearchRequest } from '../answer.ts'
import { englishOf, withEnglish } from '../glossary/english-of.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { Beside } from '../query/beside.ts'
import { analyzeQuery } from '../text/analyze.ts'
import { besideEnglish } from '../text/beside-english.ts'

/** Longest query that is read, in characters. */
export const maxQueryLength = 8000

/** What is read of a request: as many letters of all texts as of one. */
export type RequestTexts = {
  /** As it was written. */
  readonly written: string
  /** In English, where it is in another language that is known; words that the cards themselves use stay too. */
  readonly text: string
  /** For models: as it was written, with the English beside it. */
  readonly read: string
  readonly besides: readonly Omit<Beside, 'vector'>[]
}

/** @param index - of the cards that are searched; none where only {@link RequestTexts.read} is wanted */
export function textsOfRequest(
  { query, instruction = '', context = '' }: SearchRequest,
  index?: CardIndex,
): RequestTexts {
  const written = query.slice(0, maxQueryLength)
  const wanted = instruction.slice(0, maxQueryLength - written.length)
  const known = context.slice(0, maxQueryLength - written.length - wanted.length)
  const besides = [
    { kind: 'instruction', text: withEnglish(wanted) },
    { kind: 'context', text: withEnglish(known) },
  ] as const
  const english = englishOf(written)
  return {
    written,
    text: englishOf(written, index && isOfCards(index), 'request') ?? written,
    read: english === undefined ? written : besideEnglish(written, english),
    besides: besides.filter((beside) => beside.text.trim() !== ''),
  }
}

/** A tenth of the cards that say a thing in English say it in the other language too, or more: in idf. */
const often = Math.log(10)

/** Whether cards speak of a thing by this word too: then some are of its language. */
const isOfCards =
  (index: CardIndex) =>
  (word: string, english: readonly string[]): boolean => {
    const idfOf = (text: string): number => {
      const { terms, weight, unknownShare } = index.probe(analyzeQuery(text))
      return terms > 0 && unknownShare === 0 ? weight / terms : Number.POSITIVE_INFINITY
    }
    const own = idfOf(word)
    return own < Number.POSITIVE_INFINITY && own <= Math.min(...english.map(idfOf)) + often
  }
