import { glossaryOf } from './glossary.ts'
import { languageOf } from './language-of.ts'
import { clausePlaces } from './request-clauses.ts'
import { wordsOf } from './words-of-text.ts'

/** A sentence ends, but for the point of a date or an abbreviation of one letter. */
const sentenceEnd = /(?<=[^\s\d][.!?;]|[。！？；])\s*(?=\S)|\n+/gu
/** What joins a clause to the one before. */
const joining = /^(?:und|dann|danach|et|puis|ensuite|y|luego|e|poi|depois|[,;])\s+/i

/**
 * The requests of a text of another language in its own words: where it was put into English, a clause begins at the same places.
 *
 * @returns none for English and for languages without a glossary
 */
export function clausesAsWritten(text: string): readonly string[] {
  const language = languageOf(text)
  if (language === undefined) return []
  const words = wordsOf(text)
  const places = clausePlaces(text, words, { language, glossary: glossaryOf(language) })
  const cuts = [
    ...places.map((place) => words[place]!.start),
    ...Array.from(text.matchAll(sentenceEnd), ({ index }) => index),
  ].sort((a, b) => a - b)
  return [0, ...cuts].map((from, at) => bare(text.slice(from, cuts[at]))).filter((clause) => clause !== '')
}

function bare(clause: string): string {
  const trimmed = clause.trim().replace(/[,;]$/, '')
  const rest = trimmed.replace(joining, '')
  return rest === trimmed ? rest : bare(rest)
}
