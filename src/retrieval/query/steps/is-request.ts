import {
  askers,
  finiteForms,
  helpers,
  joiners,
  neverVerbs,
  nounLikeVerbs,
  nounStarts,
  pastForms,
  pluralLike,
  relatives,
  reporters,
  requestLeads,
  subjects,
  subordinators,
} from './clause-words.ts'
import { opensClause, queryWords, skipJoiners, type ClauseWords, wishes, wordAt } from './opens-clause.ts'

/**
 * How surely a sentence asks for something. `wants` says how things have to be, and of `unread` no verb is known: requests where
 * nothing else is one.
 */
export type SentenceKind = 'asks' | 'wants' | 'unread' | 'tells'

/** Whether a sentence asks for something, in words that are known. */
export function askingOf(sentence: string): SentenceKind {
  const words = queryWords(sentence)
  const asks = sentence.search(/\?["”’)\s]*$/)
  if (asks >= 0 && !words.some(({ isQuoted, at, end }) => isQuoted && at < asks && asks < end)) return 'asks'
  const first = skipJoiners(words, 0)
  if (isTalk(words, first)) return 'tells'
  if (words.some((_, place) => isPolite(words, place))) return 'asks'
  if (opensClause(words, first, true) || beginsWithVerb(words, first)) return 'asks'
  if (askers.has(wordAt(words, first) ?? '') || isInverted(words, first)) return 'asks'
  const tells = isStatement(words, first)
  const reported = reportedFrom(words)
  const isAsked = words.some((_, place) => {
    if (place > reported && reported >= 0) return false
    if (wishes(words, place)) return true
    const lead = wordAt(words, place - 1)
    if (lead === undefined || !opensClause(words, place, false)) return false
    if (joiners.has(lead) || lead === ',' || lead === 'or')
      return !tells || /^(?:want|need|wish)$/.test(words[place]!.word)
    const before = wordAt(words, place - 2) ?? ''
    if (lead === 'you') return leadsYou.test(before)
    return (
      requestLeads.has(lead) && (!tells || /^(?:let|help)$/.test(before) || lead === 'let' || lead === 'help')
    )
  })
  if (isAsked) return 'asks'
  if (saysHowItHasToBe(reported < 0 ? words : words.slice(0, reported)) || mayBeImperative(words, first))
    return 'wants'
  return hasSubjectAndVerb(words, first) ? 'tells' : 'unread'
}

/** "I slipped", "the cake was good", "there's a cat": a subject and its verb. */
function hasSubjectAndVerb(words: ClauseWords, first: number): boolean {
  if (subjects.has(wordAt(words, first) ?? '')) return true
  const relative = words.findIndex(({ word }) => relatives.has(word))
  return words.some(({ word, isQuoted }, place) => {
    if (isQuoted) return false
    if (/^(?:i|we|he|she|they|it|you|there|that)'(?:m|s|re|ve|ll|d)$/.test(word)) return true
    if (/^(?:i|we|he|she|they)$/.test(word)) return place + 1 < words.length
    const isVerb = finiteForms.has(word) || pastForms.has(word)
    return place > 0 && isVerb && (relative < 0 || place <= relative)
  })
}

/** Words before "you" in a request. */
const leadsYou = /^(?:can|could|will|would|might|may|need|want|like|if)$/

/** "Please" and a word after it; "if you could". */
const isPolite = (words: ClauseWords, place: number): boolean =>
  (wordAt(words, place) === 'please' && /^[a-z]/.test(wordAt(words, place + 1) ?? '')) ||
  (wordAt(words, place) === 'if' &&
    wordAt(words, place + 1) === 'you' &&
    /^(?:can|could|would|might)$/.test(wordAt(words, place + 2) ?? ''))

/** Set phrases of talk that have the form of a request, exclamations, and clauses of time: "Wish me luck", "What a week!", "When I got off". */
function isTalk(words: ClauseWords, first: number): boolean {
  const [word = '', next = '', third = ''] = [0, 1, 2].map((after) => wordAt(words, first + after))
  if (/^(?:wish|imagine|believe|trust|forgive|excuse|pardon|bless)$/.test(word))
    return /^(?:me|us|you|it|that|this)$/.test(next)
  if (word === 'let') return /^(?:me|us)$/.test(next) && /^(?:tell|explain|start|begin|say)$/.test(third)
  if (/^(?:hi|hello|hey|dear|greetings|thanks|cheers|sorry)$/.test(word)) return words.length < 5
  if (word === 'good') return /^(?:morning|afternoon|evening|day|night)$/.test(next) && words.length < 5
  if (word === 'what') return /^(?:an?)$/.test(next)
  if (word === 'when') return !helpers.has(next) && !finiteForms.has(next)
  return (
    (word === 'guess' && next === 'what') ||
    (word === 'thank' && next !== '') ||
    (word === 'mind' && next === 'you')
  )
}

/** "The doctor said that I should rest": who is told of asks, not who writes. @returns the place from which on; -1 where nobody says anything */
const reportedFrom = (words: ClauseWords): number =>
  words.findIndex(
    ({ word, isQuoted }, place) =>
      !isQuoted && reporters.has(word) && !/^(?:i|we)$/.test(wordAt(words, place - 1) ?? ''),
  )

/** "is there a room free", "did it work": a question without its mark. */
const isInverted = (words: ClauseWords, first: number): boolean =>
  /^(?:is|are|was|were|does|did|has)$/.test(wordAt(words, first) ?? '') && words.length > first + 2

/** "The heating should not run on Friday", "nobody may push to main". */
const saysHowItHasToBe = (words: ClauseWords): boolean =>
  words.some(
    ({ word, isQuoted }, place) =>
      !isQuoted &&
      /^(?:should|shall|must|may)$/.test(word) &&
      place > 0 &&
      !/^(?:i|we|you)$/.test(wordAt(words, place - 1) ?? '') &&
      wordAt(words, place + 1) !== undefined &&
      wordAt(words, place + 1) !== 'have',
  )

/** A verb that no list knows, before the name or number of something: "Undo 4f2a91c". */
function mayBeImperative(words: ClauseWords, first: number): boolean {
  const word = wordAt(words, first) ?? ''
  const next = words[first + 1]
  if (next === undefined || neverVerbs.has(word) || pastForms.has(word)) return false
  return (
    /^[a-z]{3,}$/.test(word) && !/(?:ly|ing|ed|s)$/.test(word) && (next.isQuoted || /\p{N}/u.test(next.text))
  )
}

/** A sentence that begins with who or what it tells of: "we sell shoes and ship them". */
function isStatement(words: ClauseWords, first: number): boolean {
  const word = wordAt(words, first) ?? ''
  return subjects.has(word) || nounStarts.has(word) || (/[^su]s$/.test(word) && !pluralLike.has(word))
}

/** At the head of a sentence a verb that may be a noun is a verb: "Book flights to Rome". */
function beginsWithVerb(words: ClauseWords, place: number): boolean {
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
function isSubject(words: ClauseWords, place: number): boolean {
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
