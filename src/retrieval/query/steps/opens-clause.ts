import {
  adverbs,
  adverbVerbs,
  askers,
  finiteForms,
  helpers,
  joiners,
  movers,
  neverVerbs,
  nounLikeVerbs,
  objectStarts,
  phrasalParticles,
  plainObjectStarts,
  softeners,
  sureVerbs,
  ways,
  wishWords,
} from './clause-words.ts'

/** A word of a request, a comma, or a quoted passage as one. */
type QueryWord = {
  readonly text: string
  /** Lower case, with straight apostrophes. */
  readonly word: string
  readonly at: number
  readonly end: number
  readonly isQuoted: boolean
}

const longestQuote = 500
const quote = (open: string, close: string): string =>
  `${open}[^${open}${close}\\n]{0,${longestQuote}}${close}`
const pattern = new RegExp(
  [
    quote('"', '"'),
    quote('“', '”'),
    quote('«', '»'),
    quote('`', '`'),
    "(?<![\\p{L}\\p{N}])'[^'\\n]{1,300}'(?![\\p{L}\\p{N}])",
    "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}'’_@./:+#-]*[\\p{L}\\p{M}\\p{N}])?",
    ',',
  ].join('|'),
  'gu',
)

/** The words and commas of a text in order. A quoted passage is one word: nothing in it is a step. */
export const queryWords = (text: string): readonly QueryWord[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    text: found,
    word: found.toLowerCase().replaceAll('’', "'"),
    at: index,
    end: index + found.length,
    isQuoted: /^["“«`']/.test(found),
  }))

export type ClauseWords = readonly QueryWord[]

export const wordAt = (words: ClauseWords, place: number): string | undefined => {
  const found = words[place]
  return found === undefined || found.isQuoted ? undefined : found.word
}

/** Words of a joining phrase at a place; 0 where none begins. */
export function joiningPhrase(words: ClauseWords, place: number): number {
  if (wordAt(words, place) === 'after' && wordAt(words, place + 1) === 'that') return 2
  return wordAt(words, place) === 'as' &&
    wordAt(words, place + 1) === 'well' &&
    wordAt(words, place + 2) === 'as'
    ? 3
    : 0
}

/** The first place from this one on that holds no comma, joining word or softener. */
export function skipJoiners(words: ClauseWords, from: number): number {
  let place = from
  for (;;) {
    const word = wordAt(words, place)
    const phrase = joiningPhrase(words, place)
    if (phrase > 0) place += phrase
    else if (word !== undefined && (word === ',' || joiners.has(word) || softeners.has(word))) place++
    else return place
  }
}

/**
 * Whether a clause begins here.
 *
 * @param joined - a joining word stands before, or a row of such clauses has begun, so that weaker signs suffice
 */
export function opensClause(words: ClauseWords, place: number, joined: boolean): boolean {
  const word = wordAt(words, place)
  const next = words[place + 1]
  if (word === undefined || next === undefined) return false
  if (isQuestion(words, place, joined) || wishes(words, place)) return true
  if (
    joined &&
    ((/^(?:want|need|wish)$/.test(word) && next.word === 'to') || (word === 'would' && next.word === 'like'))
  )
    return true
  if (/^(?:,|and|or)$/.test(next.word)) return false
  if (movers.has(word) && !next.isQuoted && ways.has(next.word)) return place + 2 < words.length
  if (word === 'say' && (neverVerbs.has(next.word) || /^\p{N}/u.test(next.text))) return false
  if (sureVerbs.has(word)) return !/^(?:is|are|was|were|of)$/.test(next.word)
  if (nounLikeVerbs.has(word))
    return (
      next.isQuoted ||
      objectStarts.has(wordAt(words, place + objectAfter(words, place)) ?? '') ||
      (joined && /^[\p{Lu}\p{N}]/u.test(next.text))
    )
  return (
    joined &&
    mayBeVerb(words, place) &&
    plainObjectStarts.has(wordAt(words, place + objectAfter(words, place)) ?? '')
  )
}

/** "work out the", "look up my": the object stands after the particle. */
const objectAfter = (words: ClauseWords, verb: number): number =>
  phrasalParticles.has(wordAt(words, verb + 1) ?? '') ? 2 : 1

/** No list has all verbs: a word before "the" or "my" that is nothing else. */
function mayBeVerb(words: ClauseWords, place: number): boolean {
  const { text, word } = words[place]!
  const isWord = place === skipJoiners(words, 0) ? /^[\p{L}][a-z]{2,}$/u : /^[a-z]{3,}$/
  const isNever = neverVerbs.has(word) && !(adverbVerbs.has(word) && objectAfter(words, place) === 2)
  return isWord.test(text) && !isNever && !/(?:ly|ing|ed|s)$/.test(word)
}

const contractedQuestion = /^(?:what|who|where|when|how)'?s$/

export function isQuestion(words: ClauseWords, place: number, joined: boolean): boolean {
  const word = wordAt(words, place) ?? ''
  if (contractedQuestion.test(word)) return true
  if (/^(?:can|could|would|will)$/.test(word)) return /^(?:you|i|we)$/.test(wordAt(words, place + 1) ?? '')
  if (!askers.has(word)) return false
  return (
    helpers.has(wordAt(words, place + 1) ?? '') ||
    (joined &&
      words
        .slice(place + 1, place + 5)
        .some(({ isQuoted, word: other }) => !isQuoted && finiteForms.has(other)))
  )
}

export function wishes(words: ClauseWords, place: number): boolean {
  const subject = /^(?:i|we)('(?:d|m|re))?$/.exec(wordAt(words, place) ?? '')
  if (subject === null) return false
  let verb = place + 1
  while (adverbs.has(wordAt(words, verb) ?? '')) verb++
  const [wish = '', next = '', third = ''] = [0, 1, 2].map((after) => wordAt(words, verb + after))
  const isWish = wishWords.has(wish) || (wish === 'have' && next === 'to')
  if (!isWish) return false
  if (wish === 'like') return verb > place + 1 || subject[1] !== undefined
  // "I must say", "I should have known", "we are looking forward".
  const done = wish === 'have' && next === 'to' ? third : next
  const isAside = /^(?:say|admit|confess|smile|laugh)$/.test(done) && wish !== 'want'
  return !isAside && !(/^(?:should|must)$/.test(wish) && next === 'have') && next !== 'forward'
}
