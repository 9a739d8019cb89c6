import { wordSet as words } from '../../domain/text/word-rules.ts'
import { relatives } from '../query/steps/clause-words.ts'
import { spokenVerbs } from './effect.ts'
import { isPastForm, verbStem } from './past-events.ts'
import { isCourtesy, isQuestionWord } from './request-effect.ts'

/** Verbs of a request, as stems, by what it says of them. English only. */
export type RequestVerbs = {
  /** What it tells, or asks about, as done: "was it refunded", "did we refund it", "refunded payments". */
  readonly done: ReadonlySet<string>
  /** What it does not want: "don't refund it". */
  readonly refused: ReadonlySet<string>
  /** How it asks that things stand: "open" of "is the valve open" and of "which open valves". */
  readonly states: ReadonlySet<string>
}

const determiners = words(
  'the a an my our your his her their its this that these those all any some every each both no',
)
const objects = words('it them him her me us one')
const prepositions = words(
  'by in on at since with from to for after before during between within of as into about until and or but than',
)
const persons = words('i we you he she they somebody someone anyone anybody people nobody')
const adverbs = words('not never ever already recently newly just lately still yet really actually also all')
const auxiliaries = words('is are am was were been has have had')
/** They tell of the past, also where "to" and a verb follow. */
const past = words('did was were been has had')
const modals = words('can could would will shall should may might must')
/** With a participle after them something is wanted: "get it shipped", "I need it shipped", "make sure it is shipped". */
const wishes = /^(?:want|need|needs|like|get|gets|getting|let|make|makes|sure|ensure|be|being|ought)$/

/** "I want to know whether it was shipped" wishes to be told. */
const reports = /^(?:know|whether|which|who|when|why|tell|see|list|lists)$/

/** Between sentences, parts of them, and orders. */
const clauseBreak = /[.!?;:\n,…]+|\b(?:and|then|but|just|if|instead(?! of)|rather(?! than))\b/giu

const mostLetters = 1_000

/** @param text - in any case */
export function requestVerbs(text: string): RequestVerbs {
  const clauses = text
    .slice(0, mostLetters)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(?:can't|cannot)/g, 'can not')
    .replace(/\bwon't/g, 'will not')
    .replace(/n't\b/g, ' not')
    .replace(/\bdont\b/g, 'do not')
    .replaceAll("'", ' ')
    .split(clauseBreak)
    .map((clause) => clause.match(/[a-z]+/g) ?? [])
  const stems = (read: (clause: readonly string[]) => readonly string[]): readonly string[] =>
    clauses.flatMap(read).map(verbStem)
  const wanted = new Set(stems(commandedIn))
  const refused = new Set(stems(refusedIn).filter((verb) => !wanted.has(verb)))
  const done = new Set(stems(doneIn).filter((verb) => !wanted.has(verb) && !refused.has(verb)))
  return { done, refused, states: new Set(clauses.flatMap(statesIn)) }
}

/** Verbs of what is wanted: at the head of a clause, after "to", after "can you", and participles that are wished for. */
function commandedIn(clause: readonly string[]): readonly string[] {
  if (refusedIn(clause).length > 0) return wantedBeside(clause)
  const head = clause.findIndex((word) => !isCourtesy(word))
  const first = clause[head]
  if (first === undefined) return []
  const isQuestion = isQuestionWord(first)
  const found: string[] = isQuestion || isPastForm(first) ? [] : [first]
  const tellsPast = clause.some((word) => past.has(word)) && isQuestion
  const wished = clause.some((word) => reports.test(word))
    ? -1
    : clause.findIndex((word) => wishes.test(word))
  const had = clause.indexOf('have')
  for (const [place, word] of clause.entries()) {
    const before = clause[place - 1] ?? ''
    if (before === 'to' && !tellsPast) found.push(word)
    if (modals.has(clause[0] ?? '') && persons.has(before)) found.push(word)
    const isWished = (wished >= 0 && place > wished && !tellsPast) || isHadDone(clause, had, place)
    if (isWished && isPastForm(word) && !isBefore(clause, place)) found.push(word)
  }
  return found
}

/** "Have the document signed", "like to have it renewed": no person stands before, and a thing between. */
const isHadDone = (clause: readonly string[], had: number, place: number): boolean =>
  had >= 0 &&
  place > had + (objects.has(clause[had + 1] ?? '') ? 1 : 2) &&
  !persons.has(clause[had - 1] ?? '') &&
  !persons.has(clause[had + 1] ?? '') &&
  !clause.includes('been') &&
  clause.slice(0, had).every((word) => isCourtesy(word))

/** "the paid invoices", "archived chats": what is done names the thing. */
const isBefore = (clause: readonly string[], place: number): boolean => {
  const before = clause[place - 1]
  const next = clause[place + 1]
  if (next === undefined || prepositions.has(next) || determiners.has(next) || objects.has(next)) return false
  return before === undefined || before === 'of' || determiners.has(before) || adverbs.has(before)
}

function doneIn(clause: readonly string[]): readonly string[] {
  const head = clause.find((word) => !isCourtesy(word))
  const asks = asksToKnow(head) || (head !== undefined && /^(?:have|had)$/.test(clause[0] ?? ''))
  const found: string[] = []
  let hasAuxiliary = false
  for (const [place, word] of clause.entries()) {
    const before = clause[place - 1] ?? ''
    if (isPastForm(word) && before !== 'to' && before !== 'be') {
      const isState =
        hasAuxiliary || asks || relatives.has(before) || persons.has(before) || isBefore(clause, place)
      if (isState || isListed(clause, place)) found.push(word)
    }
    hasAuxiliary ||= auxiliaries.has(word) && !/^(?:to|would|like)$/.test(before)
  }
  return [...found, ...afterDid(clause)]
}

/** "list archived channels", "orders shipped to Norway". */
const isListed = (clause: readonly string[], place: number): boolean => {
  const next = clause[place + 1]
  const isNoun = next !== undefined && /s$/.test(next) && !prepositions.has(next)
  return place === 1
    ? isNoun || (/s$/.test(clause[0]!) && prepositions.has(next ?? ''))
    : isNoun && place <= 3 && determiners.has(clause[place - 1]!)
}

/** The verb of "did they ship it", "did both parties sign the contract"; without a sign of its object all that it may be. */
function afterDid(clause: readonly string[]): readonly string[] {
  const did = clause.indexOf('did')
  if (did < 0) return []
  if (persons.has(clause[did - 1] ?? '') || clause[did + 1] === 'not')
    return clause
      .slice(did + 1)
      .filter((word) => !adverbs.has(word) && !persons.has(word))
      .slice(0, 1)
  let subject = did + 1
  while (adverbs.has(clause[subject] ?? '') || determiners.has(clause[subject] ?? '')) subject++
  const rest = clause.slice(subject + 1).filter((word) => !adverbs.has(word))
  if (persons.has(clause[subject] ?? '')) return rest.slice(0, 1)
  const object = rest.findIndex((word, place) => place > 0 && (determiners.has(word) || objects.has(word)))
  return object > 0 ? [rest[object - 1]!] : rest.filter((word) => !prepositions.has(word))
}

/** "which", "show". */
const asksToKnow = (head: string | undefined): boolean =>
  head !== undefined && (isQuestionWord(head) || spokenVerbs.clear.get(head) === 'reads')

/** What a thing is said to be, and what stands before many of a kind: "paid" of "is invoice 9 paid", "open" of "list open orders". */
function statesIn(clause: readonly string[]): readonly string[] {
  const head = clause.findIndex((word) => !isCourtesy(word))
  const asks = asksToKnow(clause[head]) || clause.some((word) => /^(?:whether|if)$/.test(word))
  if (!asks || clause.includes('to')) return []
  const verb = clause.findIndex((word) => auxiliaries.has(word))
  return clause.filter((word, place) => {
    const next = clause[place + 1]
    const isSaid = verb >= 0 && place > verb && (next === undefined || endsState(next))
    const isOfMany =
      place > head && /[^s]s$/.test(next ?? '') && !prepositions.has(word) && !determiners.has(word)
    return isSaid || isOfMany
  })
}

const endsState = (word: string): boolean =>
  prepositions.has(word) || adverbs.has(word) || /^(?:now|today|again|right|there|here)$/.test(word)

/** May stand before a refusal at the head of a clause. */
const leads = words('please kindly so or also')
const speakers = words('you we i one')
const duties = words('should must shall need better')
const wishing = words('want need wish like have')
/** May stand between a refusal and its verb. */
const fillers = words('ever yet please want need you us to try be get')
/** "Don't forget to send it" refuses nothing, nor does "not only send". */
const exempt = words('just only merely forget hesitate fail let worry')
/** After these "not" says how things are, or asks. */
const tellsBeforeNot = words('did does do can could will would why if or is are was were has have had')
const noVerbs = words('the a an my sure yet been be')
const askers = words('why which what who when where')
const pronouns = words('it them him her me us one')

/** Verbs of what a clause does not want: "do not cancel it", "without sending it", "I don't want it closed". */
function refusedIn(clause: readonly string[]): readonly string[] {
  const passive = clause.find(
    (word, place) =>
      isPastForm(word) && isNot(clause, place - 2, duties) && /^(?:be|get)$/.test(clause[place - 1]!),
  )
  if (passive !== undefined) return [passive]
  const unwished = clause.findIndex((word, place) => word === 'not' && wishing.has(clause[place + 1] ?? ''))
  if (unwished >= 0 && !askers.has(clause[0]!) && clause[unwished + 2] !== 'to') {
    const participles = clause.filter(isPastForm)
    if (participles.length > 0) return participles
  }
  const at = refusedAtHead(clause) ?? refusedWithin(clause)
  const verb = at === undefined ? undefined : clause[at]
  if (at === undefined || verb === undefined || exempt.has(verb)) return []
  const or = clause.indexOf('or', at + 1)
  return or < 0 || or + 1 === clause.length ? [verb] : [verb, clause[or + 1]!]
}

/** Verbs of what is wanted in a clause that refuses something: "send it without signing it", "instead of archiving it mute it". */
function wantedBeside(clause: readonly string[]): readonly string[] {
  const refusal = clause.findIndex((_, place) => lengthOfRefusal(clause, place) > 0)
  const head = clause.slice(0, Math.max(0, refusal)).find((word) => !isCourtesy(word))
  const verb = clause.at(-2) ?? ''
  const isLast = refusal === 0 && pronouns.has(clause.at(-1) ?? '') && !refusedIn(clause).includes(verb)
  return [...(head === undefined ? [] : [head]), ...(isLast ? [verb] : [])]
}

const isNot = (clause: readonly string[], place: number, before: ReadonlySet<string>): boolean =>
  clause[place] === 'not' && before.has(clause[place - 1] ?? '')

/** The place of the verb of "do not cancel it", "we should never cancel it", "I do not want to cancel it". */
function refusedAtHead(clause: readonly string[]): number | undefined {
  let place = 0
  while (leads.has(clause[place] ?? '')) place++
  const isSpoken = speakers.has(clause[place] ?? '')
  if (isSpoken) place++
  const [word = '', next = '', after = ''] = clause.slice(place)
  const isRefusal =
    word === 'never' ||
    (next === 'not' &&
      (duties.has(word) || (isSpoken ? /^(?:do|would)$/.test(word) && wishing.has(after) : word === 'do')))
  if (!isRefusal) return undefined
  place += word === 'never' ? 1 : 2
  while (fillers.has(clause[place] ?? '') || (isSpoken && wishing.has(clause[place] ?? ''))) place++
  return place
}

/** Words of a refusal within a clause; 0 where none begins. */
function lengthOfRefusal(clause: readonly string[], place: number): number {
  const [word, next = '', after] = clause.slice(place, place + 3)
  if (word === 'without' || word === 'avoid') return 1
  if (word === 'instead' && next === 'of') return 2
  if (word === 'rather' && next === 'than') return 2
  if (word === 'no' && next === 'need' && after === 'to') return 3
  if (word === 'not') return next === 'to' ? 2 : 1
  return 0
}

function refusedWithin(clause: readonly string[]): number | undefined {
  if (clause.some((_, place) => isNot(clause, place, tellsBeforeNot))) return undefined
  for (let place = 0; place < clause.length; place++) {
    const length = lengthOfRefusal(clause, place)
    const verb = clause[place + length]
    if (length > 0 && verb !== undefined && !noVerbs.has(verb)) return place + length
  }
  return undefined
}
