import { readData } from '../../read-data.ts'
import { type Effect, effects } from './effect.ts'
import type data from './verbs.json'

/**
 * `clear` verbs by what they do: English, as names of tools are, and the commonest of the languages that people ask in. `doubtful` ones are
 * nouns as often: verbs only where they stand first, and no clear one stands beside them. `irregular` ones have past
 * forms that no rule gives.
 */
const lists = readData<typeof data>(new URL('./verbs.json', import.meta.url))

/** Irregular verbs, each before its past forms; without any where they are the same. */
export const irregularVerbs = lists.irregular.split(',').map((verb) => verb.split(' '))

type Verbs = ReadonlyMap<string, Effect>

const verbsOf = (words: { readonly [effect in Effect]: string }): Verbs =>
  new Map(effects.flatMap((effect) => words[effect].split(' ').map((word) => [word, effect] as const)))

/** Forms that are things as often. */
const things = new Set(
  'settings setting listing listings finding findings reading readings building moves posts orders'.split(
    ' ',
  ),
)

/** "deletes" and "deleting" of "delete", "gets" and "getting" of "get". */
function formsOf(verb: string): readonly string[] {
  const third = /(?:s|x|ch|sh)$/.test(verb) ? `${verb}es` : `${verb.replace(/([^aeiou])y$/, '$1ie')}s`
  const gerunds = [`${verb.replace(/([^e])e$/, '$1')}ing`, `${verb}${verb.at(-1)}ing`]
  return [verb, third, ...gerunds].filter((form) => !things.has(form))
}

const inAllForms = (verbs: Verbs): Verbs =>
  new Map([...verbs].flatMap(([verb, effect]) => formsOf(verb).map((form) => [form, effect] as const)))

/** Past forms by which {@link pastVerbs} tells what was done, where no rule gives them. */
const irregular: { readonly [verb: string]: string } = {
  send: 'sent',
  write: 'wrote written',
  overwrite: 'overwrote overwritten',
  pay: 'paid',
  make: 'made',
  buy: 'bought',
  build: 'built',
  put: '',
  set: '',
  reset: '',
}

/** "deleted" of "delete", "stopped" of "stop", "sent" of "send"; of other languages nothing. */
function pastOf(verb: string): readonly string[] {
  const own = irregular[verb]
  if (own !== undefined) return own.split(' ').filter((form) => form !== '')
  if (/[^a-z]/.test(verb)) return []
  if (verb.endsWith('e')) return [`${verb}d`]
  return [`${verb.replace(/([^aeiou])y$/, '$1i')}ed`, `${verb}${verb.at(-1)}ed`]
}

/** Verbs as they stand in names: in their first form. */
export const namedVerbs = { clear: verbsOf(lists.clear), doubtful: verbsOf(lists.doubtful) } as const

/** Verbs as they stand in sentences: "deletes" and "deleting" too. */
export const spokenVerbs = {
  clear: inAllForms(namedVerbs.clear),
  doubtful: inAllForms(namedVerbs.doubtful),
} as const

/** Forms by which something is told to be changed or destroyed already: "deleted", "sent". */
export const pastVerbs: Verbs = new Map(
  [...namedVerbs.doubtful, ...namedVerbs.clear].flatMap(([verb, effect]) =>
    effect === 'reads' ? [] : pastOf(verb).map((form) => [form, effect] as const),
  ),
)
