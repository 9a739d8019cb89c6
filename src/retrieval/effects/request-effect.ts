import { type Effect, effects } from './effect.ts'
import { asksOfPast, asksWhether } from './asked-past.ts'
import { isPast, namesByPast, reportsWrite } from './past-events.ts'
import { pastVerbs, spokenVerbs } from './verbs.ts'

/** Letters of a request that are read. */
const mostLetters = 1_000

/** Words before the verb of who asks for something: "could you please", "I want to", "help me", "and then". */
const courtesies = new Set(
  (
    'please kindly can could would will shall should may might must you we i us me my let lets want wants wanted need needs like love have ' +
    'had got to help try able also then now just and or so next first finally hi hello hey ok okay d ll the quickly again already ' +
    'bitte kannst könntest du ich möchte will mir por favor puedes quiero peux tu veux je pouvez vous s il plaît per puoi voglio пожалуйста'
  ).split(' '),
)

/** Words by which a question begins whose answer is to be known. */
const questions = new Set(
  (
    'which what whats who whos whose whom when where wheres why is are was were do does did has hasn isn aren am any ' +
    'welche welcher welches wer wann wo warum wie wieviele quel quelle quels quelles qui quand où combien pourquoi qué que cuál cuáles quién cuándo dónde ' +
    'cuánto cuántos quale quali chi quando dove quanto quanti qual quais quem onde quantos какие какой кто когда где сколько почему'
  ).split(' '),
)

/** After "how" these ask for a number or a state; anything else for a way to do it. */
const degrees = new Set(
  'many much long often far old big large high well is are was were has have'.split(' '),
)

/** Punctuation, and words by which another thing to do begins. */
const clauseBreak = /[.!?;:\n,…。！？；，]+|\b(?:and|then|und|dann|et|puis|luego|poi)\b/giu

export const isCourtesy = (word: string): boolean => courtesies.has(word)
export const isQuestionWord = (word: string): boolean => questions.has(word)

/** What a request asks to be done, and whether it only tells of changes. */
type RequestIntent = {
  /** undefined where neither a question nor a verb says it. */
  readonly asked: Effect | undefined
  /** Whether it asks to be told something, and tells of something changed or destroyed: "which orders were deleted". */
  readonly reports: boolean
}

/**
 * What a request asks to be done: to tell something, to change something, or to destroy it. The main clause decides. Of a request that
 * asks for several things it is the strongest, as whoever reads to delete wants to delete.
 */
export function requestIntent(text: string): RequestIntent {
  const clauses = text
    .slice(0, mostLetters)
    .toLowerCase()
    .replace(/['’]/g, ' ')
    .split(clauseBreak)
    .map((clause) => clause.match(/\p{L}+/gu) ?? [])
  const each = clauses.map(effectOfClause)
  const asked = [...effects].reverse().find((effect) => each.includes(effect))
  return { asked, reports: asked === 'reads' && clauses.some((one) => reportsWrite(one) || asksOfPast(one)) }
}

/** What does a thing: who asks for it asks for what it does ("a tool that deletes branches", "a way to send mail"). */
const doers = new Set(
  'tool tools way ways function functions api agent agents something someone service method command option anything possible possibility'.split(
    ' ',
  ),
)

const wishes = new Set(['want', 'need', 'like', 'have', 'wish'])
/** "I want a list of ..." wants to be told. */
const tellings = new Set('list number count names overview history details status report copy'.split(' '))

/** By its first word that is no courtesy. What is told of a case ("the build failed") asks for nothing. */
function effectOfClause(words: readonly string[]): Effect | undefined {
  const doer = words.findIndex((word) => doers.has(word))
  const done = doer < 0 ? undefined : firstClear(words.slice(doer + 1))
  if (done !== undefined) return done
  const way = wayTo(words)
  if (way !== undefined) return way
  if (asksOfPast(words)) return 'reads'
  return effectOfMainClause(words) ?? (asksWhether(words) ? 'reads' : undefined)
}

function effectOfMainClause(words: readonly string[]): Effect | undefined {
  let isHow = false
  for (const [place, word] of words.entries()) {
    if (word === 'how' || word === 'wie') {
      if (degrees.has(words[place + 1] ?? '')) return 'reads'
      isHow = true
    } else if (questions.has(word)) {
      if (!(isHow && /^d(?:o|oes|id)$/.test(word))) return 'reads'
    } else if (!courtesies.has(word)) return effectFrom(words, place)
  }
  return undefined
}

/** What "how to", "how do I" and "how can we" ask the way to, wherever they stand. */
function wayTo(words: readonly string[]): Effect | undefined {
  const how = words.findIndex(
    (word, place) =>
      word === 'how' &&
      (words[place + 1] === 'to' ||
        (/^(?:do|can|could|should|would)$/.test(words[place + 1] ?? '') &&
          /^(?:i|we|you|one)$/.test(words[place + 2] ?? ''))),
  )
  return how < 0 ? undefined : verbEffect(words[how + (words[how + 1] === 'to' ? 2 : 3)] ?? '')
}

/** By the verb at a place, or by what a clause without one names. */
function effectFrom(words: readonly string[], place: number): Effect | undefined {
  const word = words[place]!
  if (word === 'get' && words[place + 1] === 'rid') return 'destroys'
  const isThing = !spokenVerbs.clear.has(word) && (isPast(words[place + 1]) || /[^s]s$/.test(word))
  const effect = verbEffect(word)
  if (effect !== undefined && !isThing) return effect
  const wished = words.slice(0, place).some((before) => wishes.has(before))
  const done = wished ? wishedDone(words.slice(place)) : undefined
  if (done !== undefined) return done
  const isGiven = word === 'give' && /^(?:me|us)$/.test(words[place + 1] ?? '')
  if (namesByPast(words, isGiven ? place + 2 : place)) return 'reads'
  return isThing ? undefined : effect
}

/** "I would like the ticket closed", but "the customers we deleted", "a list of files changed". */
function wishedDone(thing: readonly string[]): Effect | undefined {
  const past = thing.findLastIndex(
    (word, place) => pastVerbs.has(word) && (thing[place + 1] ?? 'to') === 'to',
  )
  const isAsked = past > 0 && !notOfThings.test(thing[past - 1]!)
  return isAsked && !thing.some((word) => tellings.has(word)) ? pastVerbs.get(thing[past]!) : undefined
}

const notOfThings = /^(?:that|which|who|i|we|you|he|she|they|was|were|been)$/

const verbEffect = (word: string): Effect | undefined =>
  spokenVerbs.clear.get(word) ?? spokenVerbs.doubtful.get(word)

const firstClear = (words: readonly string[]): Effect | undefined =>
  words.map((word) => spokenVerbs.clear.get(word)).find((effect) => effect !== undefined)
