import { type Effect, effects } from './effect.ts'
import { spokenVerbs } from './verbs.ts'

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

/**
 * What a request asks to be done: to tell something, to change something, or to destroy it. Of a request that asks for several
 * things it is the strongest, as whoever reads to delete wants to delete.
 *
 * @returns undefined where neither a question nor a verb says it
 */
export function requestEffect(text: string): Effect | undefined {
  const asked = text
    .slice(0, mostLetters)
    .toLowerCase()
    .replace(/['’]/g, ' ')
    .split(clauseBreak)
    .map(effectOfClause)
  return [...effects].reverse().find((effect) => asked.includes(effect))
}

/** What does a thing: who asks for it asks for what it does ("a tool that deletes branches", "a way to send mail"). */
const doers = new Set(
  'tool tools way ways function functions api agent agents something someone service method command option anything possible possibility'.split(
    ' ',
  ),
)

/** By its first word that is no courtesy. What is told of a case ("the build failed") asks for nothing. */
function effectOfClause(clause: string): Effect | undefined {
  const words = clause.match(/\p{L}+/gu) ?? []
  const doer = words.findIndex((word) => doers.has(word))
  const done = doer < 0 ? undefined : firstClear(words.slice(doer + 1))
  if (done !== undefined) return done
  let isHow = false
  for (const [place, word] of words.entries()) {
    if (word === 'how' || word === 'wie') {
      if (degrees.has(words[place + 1] ?? '')) return 'reads'
      isHow = true
    } else if (questions.has(word)) {
      if (!(isHow && /^d(?:o|oes|id)$/.test(word))) return 'reads'
    } else if (!courtesies.has(word)) return spokenVerbs.clear.get(word) ?? spokenVerbs.doubtful.get(word)
  }
  return undefined
}

const firstClear = (words: readonly string[]): Effect | undefined =>
  words.map((word) => spokenVerbs.clear.get(word)).find((effect) => effect !== undefined)
