import { nounLikeVerbs } from './clause-verbs.ts'
import {
  askers,
  finiteForms,
  joiners,
  neverVerbs,
  nounStarts,
  pastForms,
  pluralLike,
  relatives,
  requestLeads,
  subjects,
  subordinators,
} from './clause-words.ts'
import { wordAt, skipJoiners, opensClause, wishes, type Words } from './opens-clause.ts'
import { queryWords } from './query-words.ts'

/** Whether a sentence asks for something, in words that are known. */
export function isRequest(sentence: string): boolean {
  const words = queryWords(sentence)
  const asks = sentence.search(/\?["”’)\s]*$/)
  if (asks >= 0 && !words.some(({ isQuoted, at, end }) => isQuoted && at < asks && asks < end)) return true
  const first = skipJoiners(words, 0)
  if (opensClause(words, first, true) || beginsWithVerb(words, first)) return true
  if (askers.has(wordAt(words, first) ?? '')) return true
  const tells = isStatement(words, first)
  return words.some((_, place) => {
    if (wishes(words, place)) return true
    const lead = wordAt(words, place - 1)
    if (lead === undefined || !opensClause(words, place, false)) return false
    return joiners.has(lead) || lead === ',' || lead === 'or'
      ? !tells || /^(?:want|need|wish)$/.test(words[place]!.word)
      : requestLeads.has(lead)
  })
}

/** A sentence that begins with who or what it tells of: "we sell shoes and ship them". */
function isStatement(words: Words, first: number): boolean {
  const word = wordAt(words, first) ?? ''
  return subjects.has(word) || nounStarts.has(word) || (/[^su]s$/.test(word) && !pluralLike.has(word))
}

/** At the head of a sentence a verb that may be a noun is a verb: "Book flights to Rome". */
function beginsWithVerb(words: Words, place: number): boolean {
  const next = words[place + 1]
  return (
    nounLikeVerbs.has(wordAt(words, place) ?? '') &&
    next !== undefined &&
    !/^(?:,|and|or|is|are|was|were|of)$/.test(next.word) &&
    !isSubject(words, place)
  )
}

/** Words between a noun and its verb, at most. */
const longestSubject = 4

/** "Record sales were good", "Support called me": the word that may be a verb is a noun, and another verb follows. */
function isSubject(words: Words, place: number): boolean {
  for (let next = place + 1; next <= place + longestSubject; next++) {
    const word = wordAt(words, next)
    if (word === undefined || word === ',' || joiners.has(word) || askers.has(word) || relatives.has(word))
      return false
    if (nounStarts.has(word) || subordinators.has(word) || /^(?:i|we|you|he|she|it|they)$/.test(word))
      return false
    if (finiteForms.has(word) || pastForms.has(word)) return true
    const after = wordAt(words, next + 1)
    if (next === place + 1 && /[a-z]ed$/.test(word) && (after === undefined || neverVerbs.has(after)))
      return true
  }
  return false
}
