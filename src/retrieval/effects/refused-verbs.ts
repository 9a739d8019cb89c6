import { isCourtesy } from './request-effect.ts'
import { isPastForm } from './verb-stem.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

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
export function refusedIn(clause: readonly string[]): readonly string[] {
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
export function wantedBeside(clause: readonly string[]): readonly string[] {
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
