import {
  askers,
  joiners,
  movers,
  neverVerbs,
  nounLikeVerbs,
  nounStarts,
  objectStarts,
  particles,
  plainForms,
  relatives,
  requestLeads,
  sequelWords,
  softeners,
  subordinators,
  sureVerbs,
} from './clause-words.ts'
import {
  isQuestion,
  joiningPhrase,
  opensClause,
  queryWords,
  skipJoiners,
  type ClauseWords,
  wishes,
  wordAt,
} from './opens-clause.ts'

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
    const between = words.slice(place, verb)
    const joined = between.some((other) => other.word !== ',')
    if (
      !isPurpose(between) &&
      opensClause(words, verb, joined || from > 0 || headIsVerb(before)) &&
      (isSequel(between) ? isFinished(before) : holdsClause(before)) &&
      !(isComma ? waits(before) : isInRelativeClause(before))
    ) {
      starts.push(isComma ? end : at)
      from = isComma ? place + 1 : place
    }
    place = verb - 1
  }
  return starts
}

/** ", to send it to Ann" says what the clause before is for. */
const isPurpose = (between: ClauseWords): boolean =>
  between.some(({ word }) => word === 'to') && !between.some(({ word }) => joiners.has(word))

/** "please", "to" and the like join nothing by themselves. */
const softensOnly = (words: ClauseWords, place: number): boolean =>
  !joiners.has(words[place]!.word) && joiningPhrase(words, place) === 0

function headIsVerb(before: ClauseWords): boolean {
  const head = wordAt(before, skipJoiners(before, 0)) ?? ''
  return sureVerbs.has(head) || nounLikeVerbs.has(head) || movers.has(head)
}

/** Whether these words are a clause with an object, so that another may follow. */
function holdsClause(all: ClauseWords): boolean {
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
const isSequel = (joining: ClauseWords): boolean => joining.some(({ word }) => sequelWords.has(word))

const isFinished = (before: ClauseWords): boolean => {
  const words = before.slice(skipJoiners(before, 0))
  return words.length > 0 && !isUnfinished(words) && !subordinators.has(wordAt(words, 0) ?? '')
}

/** A clause does not end so: "create and", "give it the", "read" before "and write permissions". */
function isUnfinished(words: ClauseWords): boolean {
  const last = wordAt(words, words.length - 1)
  if (last === undefined) return false
  if (sureVerbs.has(last)) return !nounStarts.has(wordAt(words, words.length - 2) ?? '')
  return neverVerbs.has(last) && !objectStarts.has(last) && !particles.has(last)
}

/** "When the build fails" waits for what follows the comma. */
function waits(before: ClauseWords): boolean {
  const first = wordAt(before, skipJoiners(before, 0))
  return first !== undefined && subordinators.has(first) && before.every(({ word }) => word !== ',')
}

/** In "flights that leave early and arrive in Rome" the second verb goes on with the clause about the flights. */
const isInRelativeClause = (before: ClauseWords): boolean =>
  before.some(({ word, isQuoted }, place) => {
    if (isQuoted || !relatives.has(word) || place === 0 || before[place - 1]!.word === ',') return false
    const next = wordAt(before, place + 1) ?? ''
    return plainForms.has(next) || sureVerbs.has(next) || nounLikeVerbs.has(next)
  })
