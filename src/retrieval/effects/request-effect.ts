import { wordSet as words } from '../../domain/text/word-rules.ts'
import { relatives } from '../query/steps/clause-words.ts'
import { type Effect, effectOfLead, effects, pastVerbs, type RequestIntent, spokenVerbs } from './effect.ts'
import { isPast, isPastForm, namesByPast, reportsWrite } from './past-events.ts'

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
  const reads = asked === 'reads'
  return {
    asked,
    reports: reads && clauses.some((one) => reportsWrite(one) || asksOfPast(one)),
    asks: reads && clauses.some((one, place) => each[place] === 'reads' && isQuestion(one)),
  }
}

const isQuestion = (clause: readonly string[]): boolean => {
  const head = clause.find((word) => !courtesies.has(word)) ?? ''
  return !obtaining.test(head)
}

/** Who gets or finds a thing may want it done: "get us two seats". */
const obtaining = /^(?:get|find|search|fetch|retrieve|return|query|lookup|read)$/

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
  // "Tell the crew that we come" sends them word.
  if (word === 'tell' && !/^(?:me|us|if|whether|how|wh\w+)$/.test(words[place + 1] ?? '')) return undefined
  const effect = verbEffect(word) ?? effectOfLead(word, words[place + 1] ?? '')
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

/** Clauses that ask whether something was done, in English and German: "have we ever refunded it", "haben wir sie schon erstattet". */

/** What may be said before a question begins. */
const leads = words('hey hi hello ok okay so and but also oh sorry say und aber also hallo na sag')
/** "Have the lease signed" is an order: only these, or "been", make a question of it. */
const subjects = words('i we you he she they anyone anybody')
const determiners = words('the a this that these those my our your his her their its it')
const modals = words('could can might may would should')
const adverbs = words('not ever already since')
const germanAuxiliaries =
  /^(?:hab(?:e|en|t)|hast|hat|hatte(?:n|st|t)?|ist|sind|war(?:en|st)?|wurde(?:n|st)?)$/
/** "erstattet", "gelöscht", "angerufen", "storniert", "versendet". */
const isGermanParticiple = (word: string): boolean =>
  word.length > 4 &&
  /(?:t|en)$/.test(word) &&
  (word.slice(0, -3).includes('ge') ||
    /^(?:be|er|ver|ent|emp|zer|miss|über|unter|worden)/.test(word) ||
    word.endsWith('iert'))

/** @param clause - words in lower case */
function asksOfPast(clause: readonly string[]): boolean {
  const start = clause.findIndex((word) => !leads.has(word))
  const [head = '', next = '', ...rest] = clause.slice(Math.max(0, start))
  const tells = [next, ...rest].some(isPastForm)
  const isDenied = next === 't' && (subjects.has(rest[0] ?? '') || determiners.has(rest[0] ?? ''))
  if (head === 'did') return true
  if (/^(?:did|has|was|were|have|had)n$/.test(head)) return isDenied
  // "Was sent twice" goes on with a statement.
  if (/^(?:has|was|were)$/.test(head)) return tells && !isPastForm(next)
  if (head === 'have' || head === 'had') return tells && (subjects.has(next) || rest.includes('been'))
  if (modals.has(head)) return hasPerfect([next, ...rest])
  return germanAuxiliaries.test(head) && isGermanParticiple(clause.at(-1)!)
}

/** So many words a subject has, and so many stand before "whether". */
const longestSubject = 4
const longestLead = 5

/** "could it have been removed"; not "could you have it removed". */
function hasPerfect(clause: readonly string[]): boolean {
  const have = clause.indexOf('have')
  const verb = clause.slice(have + 1).find((word) => !adverbs.has(word)) ?? ''
  const isPerfect = have > 0 && have <= longestSubject && (have === 1 || !relatives.has(clause[have - 2]!))
  return isPerfect && (verb === 'been' || isPastForm(verb))
}

/** What is asked in a clause that no verb begins: "not sure whether we paid", "ob wir bezahlt haben", "I wonder if it was sent". */
const asksWhether = (clause: readonly string[]): boolean =>
  clause
    .slice(0, longestLead + 1)
    .some(
      (word, place) =>
        !isRequest(clause, place + 1) &&
        (word === 'whether' ||
          word === 'ob' ||
          (word === 'if' &&
            /^(?:wonder|wondering|sure|know|remember|recall|remind)$/.test(beforeIf(clause, place)))),
    )

/** "I was wondering if you could convert it" asks for it to be done. */
const isRequest = (clause: readonly string[], place: number): boolean =>
  /^(?:you|we|i|du|ihr|sie|wir)$/.test(clause[place] ?? '') &&
  (modals.has(clause[place + 1] ?? '') || germanModal.test(clause.at(-1)!))

const germanModal = /^(?:kann|können|könnt|kannst|könnte(?:n|st|t)?|würde(?:n|st|t)?)$/

/** "remind me if" */
const beforeIf = (clause: readonly string[], place: number): string =>
  /^(?:me|us)$/.test(clause[place - 1] ?? '') ? (clause[place - 2] ?? '') : (clause[place - 1] ?? '')
