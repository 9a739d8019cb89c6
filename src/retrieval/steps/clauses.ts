import { sureVerbs, nounLikeVerbs } from './clause-verbs.ts'
import {
  adverbs,
  askers,
  finiteForms,
  helpers,
  joiners,
  neverVerbs,
  nounStarts,
  objectStarts,
  particles,
  phrasalParticles,
  plainForms,
  plainObjectStarts,
  relatives,
  requestLeads,
  sequelWords,
  softeners,
  subordinators,
  wishWords,
} from './clause-words.ts'
import { type QueryWord, queryWords } from './query-words.ts'

type Words = readonly QueryWord[]

/** Words of a clause that are looked at, before the place where another may begin. */
const longestClause = 60

/**
 * Where in a sentence a further clause begins that asks for something: after a comma or a joining word, a verb with its object, a
 * question, or a wish. What stands before must be such a clause itself, so that lists ("milk, bread and eggs"), pairs of verbs with one
 * object ("search and replace text") and quoted passages stay whole. English only: other languages have no such clauses.
 *
 * @returns positions, ascending; a joining word belongs to what follows, a comma to what is before
 */
export function clauseStarts(sentence: string): readonly number[] {
  const words = queryWords(sentence)
  const starts: number[] = []
  let from = 0
  for (let place = 1; place < words.length; place++) {
    const verb = skipJoiners(words, place)
    const { word, at, end } = words[place]!
    const isComma = word === ','
    if (verb === place || (!isComma && softensOnly(words, place))) continue
    const before = words.slice(Math.max(from, place - longestClause), place)
    const joined = words.slice(place, verb).some((other) => other.word !== ',')
    if (
      opensClause(words, verb, joined || from > 0 || headIsVerb(before)) &&
      (isSequel(words.slice(place, verb)) ? isFinished(before) : holdsClause(before)) &&
      !(isComma ? waits(before) : isInRelativeClause(before))
    ) {
      starts.push(isComma ? end : at)
      from = isComma ? place + 1 : place
    }
    place = verb - 1
  }
  return starts
}

/** Whether a sentence asks for something, in words that are known. */
export function isRequest(sentence: string): boolean {
  if (/\?["”’)\s]*$/.test(sentence)) return true
  const words = queryWords(sentence)
  const first = skipJoiners(words, 0)
  if (opensClause(words, first, true) || beginsWithVerb(words, first)) return true
  if (askers.has(wordAt(words, first) ?? '')) return true
  return words.some(
    (_, place) =>
      wishes(words, place) ||
      (requestLeads.has(wordAt(words, place - 1) ?? '') && opensClause(words, place, false)),
  )
}

const wordAt = (words: Words, place: number): string | undefined => {
  const found = words[place]
  return found === undefined || found.isQuoted ? undefined : found.word
}

/** Words of a joining phrase at a place; 0 where none begins. */
function joiningPhrase(words: Words, place: number): number {
  if (wordAt(words, place) === 'after' && wordAt(words, place + 1) === 'that') return 2
  return wordAt(words, place) === 'as' &&
    wordAt(words, place + 1) === 'well' &&
    wordAt(words, place + 2) === 'as'
    ? 3
    : 0
}

/** The first place from this one on that holds no comma, joining word or softener. */
function skipJoiners(words: Words, from: number): number {
  let place = from
  for (;;) {
    const word = wordAt(words, place)
    const phrase = joiningPhrase(words, place)
    if (phrase > 0) place += phrase
    else if (word !== undefined && (word === ',' || joiners.has(word) || softeners.has(word))) place++
    else return place
  }
}

/** "please", "to" and the like join nothing by themselves. */
const softensOnly = (words: Words, place: number): boolean =>
  !joiners.has(words[place]!.word) && joiningPhrase(words, place) === 0

/**
 * Whether a clause begins here.
 *
 * @param joined - a joining word stands before, or a row of such clauses has begun, so that weaker signs suffice
 */
function opensClause(words: Words, place: number, joined: boolean): boolean {
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
const objectAfter = (words: Words, verb: number): number =>
  phrasalParticles.has(wordAt(words, verb + 1) ?? '') ? 2 : 1

/** No list has all verbs: a word before "the" or "my" that is nothing else. */
function mayBeVerb(words: Words, place: number): boolean {
  const { text, word } = words[place]!
  const isWord = place === skipJoiners(words, 0) ? /^[\p{L}][a-z]{2,}$/u : /^[a-z]{3,}$/
  return isWord.test(text) && !neverVerbs.has(word) && !/(?:ly|ing|ed|s)$/.test(word)
}

function headIsVerb(before: Words): boolean {
  const head = wordAt(before, skipJoiners(before, 0)) ?? ''
  return sureVerbs.has(head) || nounLikeVerbs.has(head)
}

/** At the head of a sentence a verb that may be a noun is a verb: "Book flights to Rome". */
function beginsWithVerb(words: Words, place: number): boolean {
  const next = words[place + 1]
  return (
    nounLikeVerbs.has(wordAt(words, place) ?? '') &&
    next !== undefined &&
    !/^(?:,|and|or|is|are|was|were|of)$/.test(next.word)
  )
}

const contractedQuestion = /^(?:what|who|where|when|how)'s$/

function isQuestion(words: Words, place: number, joined: boolean): boolean {
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

function wishes(words: Words, place: number): boolean {
  const subject = /^(?:i|we)(?:'(?:d|m|re))?$/.test(wordAt(words, place) ?? '')
  if (!subject) return false
  let verb = place + 1
  while (adverbs.has(wordAt(words, verb) ?? '')) verb++
  const wish = wordAt(words, verb) ?? ''
  return wishWords.has(wish) || (wish === 'have' && wordAt(words, verb + 1) === 'to')
}

/** Whether these words are a clause with an object, so that another may follow. */
function holdsClause(all: Words): boolean {
  const words = all.slice(skipJoiners(all, 0))
  const last = words.at(-1)
  if (last === undefined || isUnfinished(words)) return false
  if (askers.has(wordAt(words, 0) ?? '')) return true
  let found = false
  for (const [place, { word, isQuoted }] of words.entries()) {
    if (isQuoted) continue
    const before = wordAt(words, place - 1)
    const isFree =
      place === 0 ||
      before === ',' ||
      (before !== undefined && (requestLeads.has(before) || softeners.has(before)))
    if (isFree && (sureVerbs.has(word) || nounLikeVerbs.has(word))) {
      if (place === words.length - 1) return false
      found = true
    } else if ((isFree && opensClause(words, place, true)) || isQuestion(words, place, true)) found = true
    else if (wishes(words, place)) found = true
  }
  return found
}

/** "Then", "after that" and the like: what stands before is a step, even when it has no verb. */
const isSequel = (joining: Words): boolean => joining.some(({ word }) => sequelWords.has(word))

const isFinished = (before: Words): boolean => {
  const words = before.slice(skipJoiners(before, 0))
  return words.length > 0 && !isUnfinished(words) && !subordinators.has(wordAt(words, 0) ?? '')
}

/** A clause does not end so: "create and", "give it the", "read" before "and write permissions". */
function isUnfinished(words: Words): boolean {
  const last = wordAt(words, words.length - 1)
  if (last === undefined) return false
  if (sureVerbs.has(last)) return !nounStarts.has(wordAt(words, words.length - 2) ?? '')
  return neverVerbs.has(last) && !objectStarts.has(last) && !particles.has(last)
}

/** "When the build fails" waits for what follows the comma. */
function waits(before: Words): boolean {
  const first = wordAt(before, skipJoiners(before, 0))
  return first !== undefined && subordinators.has(first) && before.every(({ word }) => word !== ',')
}

/** In "flights that leave early and arrive in Rome" the second verb goes on with the clause about the flights. */
const isInRelativeClause = (before: Words): boolean =>
  before.some(({ word, isQuoted }, place) => {
    if (isQuoted || !relatives.has(word) || place === 0 || before[place - 1]!.word === ',') return false
    const next = wordAt(before, place + 1) ?? ''
    return plainForms.has(next) || sureVerbs.has(next) || nounLikeVerbs.has(next)
  })
