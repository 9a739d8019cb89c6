import { relatives } from '../query/steps/clause-words.ts'
import { isPastForm } from './verb-stem.ts'

/** Clauses that ask whether something was done, in English and German: "have we ever refunded it", "haben wir sie schon erstattet". */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

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
export function asksOfPast(clause: readonly string[]): boolean {
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
export const asksWhether = (clause: readonly string[]): boolean =>
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
