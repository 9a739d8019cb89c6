import { stemmer } from 'stemmer'
import { wordSet as words } from '../../domain/text/word-rules.ts'
import { sureVerbs } from '../query/steps/clause-words.ts'
import { irregularVerbs, pastVerbs, spokenVerbs } from './effect.ts'

// Words of a clause that tell of what was done to a thing rather than ask for it. English, where none is named.

const relatives = words('that which who whom whose where')
const auxiliaries = words('was were been being has have had did got is are')
const persons = words('i we you he she they it somebody someone anyone people nobody')
/** What a passive is made with in other languages. */
const foreignPassives = words('wurde wurden worden été fue fueron sido stato stata stati state foi foram')
/** Stand between a noun and its participle, or before both. */
const fillers = words('not never ever already recently newly just lately still yet all every each a an the')
const articles = words('the a an my our your his her their its these those it them')
/** What may follow a participle that has its noun before it: no object. */
const afterParticiples = words(
  'by in on at since with from to for after before during between within last this today yesterday tonight twice once recently ago into than as',
)

/** Words of a clause that names things, and of those before what was done to them. */
const longestNaming = 14
const longestHead = 7
/** They begin something else than the name of a thing. */
const breaks = words(
  'the a an my our your his her their to and or if when while for with into using by as but so because',
)

/** "deleted", "unpaid". */
export const isPast = (word: string | undefined): boolean =>
  word !== undefined && (pastVerbs.has(word) || (word.startsWith('un') && pastVerbs.has(word.slice(2))))

const mayBePast = (word: string): boolean => isPast(word) || /[a-z]{3}ed$/.test(word)

/**
 * Whether a clause without a verb of its own names things by what was done to them: "customers that were deleted", "orders updated
 * today", "files we removed", "stopped servers". What happened to one thing ("the build failed", "the invoice was sent twice") is a
 * statement, which asks for nothing.
 *
 * @param from - place of the first word that is no courtesy
 */
export function namesByPast(clause: readonly string[], from: number): boolean {
  const first = skipFillers(clause, from)
  if (isPast(clause[first])) {
    const next = clause[first + 1]
    return next !== undefined && !articles.has(next) && !afterParticiples.has(next)
  }
  if (clause.length > longestNaming || isVerbLike(clause, first)) return false
  for (let place = first + 1; place < Math.min(clause.length, first + longestHead); place++) {
    const word = clause[place]!
    const before = clause[place - 1]!
    if (relatives.has(word)) return tellsOfPast(clause.slice(place + 1))
    if (isPast(word) && persons.has(before)) return true
    if (auxiliaries.has(word) || (breaks.has(word) && before !== 'of')) return false
    if (!mayBePast(word)) continue
    const next = clause[skipFillers(clause, place + 1)]
    if (next === undefined) return isPast(word)
    // "The fan turned on again" is a statement.
    const isOfMany = clause.slice(first, place).some((noun) => /s$|people|data/.test(noun))
    return afterParticiples.has(next) && (from === 0 || (isPast(word) && isOfMany))
  }
  return false
}

/** A verb that asks for something no list of effects has: "press the key", "recommend films released in May". */
const isVerbLike = (clause: readonly string[], place: number): boolean => {
  const word = clause[place] ?? ''
  return sureVerbs.has(word) || word.length < 3 || /ing$/.test(word) || articles.has(clause[place + 1] ?? '')
}

const tellsOfPast = (rest: readonly string[]): boolean =>
  rest.some((word) => mayBePast(word) || /^(?:was|were|been|had|did)$/.test(word))

function skipFillers(clause: readonly string[], from: number): number {
  let place = from
  while (fillers.has(clause[place] ?? '')) place++
  return place
}

/** Whether words tell of something changed or destroyed: "was the order deleted", "did Bo approve it", "wurde gelöscht". */
export function reportsWrite(clause: readonly string[]): boolean {
  const did = clause.indexOf('did')
  return clause.some(
    (word, place) =>
      isPast(word) || foreignPassives.has(word) || (did >= 0 && place > did + 1 && isWrite(word)),
  )
}

const isWrite = (word: string): boolean =>
  [spokenVerbs.clear, spokenVerbs.doubtful].some((verbs) => (verbs.get(word) ?? 'reads') !== 'reads')

const baseOf: ReadonlyMap<string, string> = new Map(
  irregularVerbs.flatMap(([base = '', ...forms]) =>
    (forms.length === 0 ? [base] : forms).map((form) => [form, base] as const),
  ),
)

/** End as past forms do, and are none. */
const notPast = /^(?:need|feed|seed|speed|indeed|hundred|proceed|exceed|succeed|embed|unneed)$/

/** "shipped", "frozen", "unpaid". */
export const isPastForm = (word: string): boolean =>
  !notPast.test(word) && (isPast(word) || baseOf.has(word) || /[a-z]{2}ed$/.test(word))

/** The same for all forms of a verb: "ship", "shipped", "shipping"; "freeze", "frozen". */
export const verbStem = (word: string): string => stemmer(baseOf.get(word) ?? word)
