import { relatives } from '../query/steps/clause-words.ts'
import { refusedIn, wantedBeside } from './refused-verbs.ts'
import { isCourtesy, isQuestionWord } from './request-effect.ts'
import { isPastForm, verbStem } from './verb-stem.ts'

/** Verbs of a request, as stems, by what it says of them. English only. */
export type RequestVerbs = {
  /** What it tells, or asks about, as done: "was it refunded", "did we refund it", "refunded payments". */
  readonly done: ReadonlySet<string>
  /** What it does not want: "don't refund it". */
  readonly refused: ReadonlySet<string>
  /** How it asks that things stand: words after "is", "was" and the like. */
  readonly states: ReadonlySet<string>
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

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
  const asks = head !== undefined && (isQuestionWord(head) || /^(?:have|had)$/.test(clause[0] ?? ''))
  const found: string[] = []
  let hasAuxiliary = false
  for (const [place, word] of clause.entries()) {
    const before = clause[place - 1] ?? ''
    if (isPastForm(word) && before !== 'to' && before !== 'be') {
      const isTold =
        hasAuxiliary || asks || relatives.has(before) || persons.has(before) || isBefore(clause, place)
      if (isTold || isListed(clause, place)) found.push(word)
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

/** What follows the verb of a question: "paid" and "urgent" of "is invoice 9 paid", "is the ticket urgent". */
function statesIn(clause: readonly string[]): readonly string[] {
  const head = clause.findIndex((word) => !isCourtesy(word))
  if (!isQuestionWord(clause[head] ?? '')) return []
  const verb = clause.findIndex((word) => auxiliaries.has(word))
  return verb < 0 || clause.includes('to') ? [] : clause.slice(verb + 1)
}
