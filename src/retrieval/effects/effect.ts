import type { Card } from '../../domain/card.ts'
import { partedCase } from '../../domain/text/word-rules.ts'
import { readData } from '../../read-data.ts'
import { objectStarts } from '../query/steps/clause-words.ts'
import type data from './verbs.json'

/** What a tool does to what it works on, and what a request asks to be done to it; in the order of their numbers. */
export const effects = ['reads', 'changes', 'destroys'] as const
export type Effect = (typeof effects)[number]

/**
 * How well what a tool does goes with what is asked for: 1 the very thing, 0 nothing known, below 0 another thing. A tool that reads
 * may help whoever wants something changed; one that changes or destroys helps nobody who only wants to know.
 */
const fits: { readonly [asked in Effect]: { readonly [done in Effect]: number } } = {
  reads: { reads: 1, changes: -0.75, destroys: -1 },
  changes: { reads: -0.25, changes: 1, destroys: -0.5 },
  destroys: { reads: -0.25, changes: -0.25, destroys: 1 },
}

/** As {@link fits}; 0 where either is not known. */
export const effectFit = (asked: Effect | undefined, done: Effect | undefined): number =>
  asked === undefined || done === undefined ? 0 : fits[asked][done]

/** What a request asks to be done, and whether it only tells of changes: then it has the words of tools that make them. */
export type RequestIntent = {
  /** undefined where neither a question nor a verb says it. */
  readonly asked: Effect | undefined
  /** Whether it asks to be told something, and tells of something changed or destroyed: "which orders were deleted". */
  readonly reports: boolean
  /** Whether it is asked as a question, or by a verb of telling: "which orders are open", "show the open orders". */
  readonly asks: boolean
}

/** Part of its score that a card may lose for doing another thing than is asked for, in a ranking that learned nothing of effects. */
const mostLost = { usual: 0.15, reported: 0.6 } as const

/** Factor on the score of a card whose very verb is told as done, or refused: its words are the request's, and say the contrary. */
export const unwantedFactor = 0.15

/** Factor on the score of a card, at least 1 less what it may lose. */
export const effectFactor = (
  { asked, reports }: Omit<RequestIntent, 'asks'>,
  done: Effect | undefined,
): number => 1 + (reports ? mostLost.reported : mostLost.usual) * Math.min(0, effectFit(asked, done))

/**
 * What is taken from the log-odds of a tool that changes or destroys, for who asks to be told something, times how badly it fits. Trees ask
 * for effects too; but verbs err, and the catalogs that they learn from declare nothing. More is taken where its publisher declares it,
 * and from what answers a question: over the development sets that costs nothing.
 */
const taken = { byVerbs: 1.2, sure: 3, reported: 7 } as const

/** As {@link unwantedFactor}, in log-odds: as of what makes a change that is only told of. */
export const unwantedShift = -taken.reported

/** 0 or less. */
export const effectShift = (
  { asked, reports, asks }: RequestIntent,
  done: Effect | undefined,
  isDeclared: boolean,
): number => {
  if (asked !== 'reads') return 0
  const unfit = Math.min(0, effectFit(asked, done))
  // The tool that makes a change is no nearer to who asks about it than the one that undoes it.
  if (reports) return taken.reported * Math.sign(unfit)
  return (asks || isDeclared ? taken.sure : taken.byVerbs) * unfit
}

/**
 * `clear` verbs by what they do: English, as names of tools are, and the commonest of the languages that people ask in. `doubtful` ones are
 * nouns as often: verbs only where they stand first, and no clear one stands beside them. `irregular` ones have past
 * forms that no rule gives.
 */
const lists = readData<typeof data>(new URL('./verbs.json', import.meta.url))

/** Irregular verbs, each before its past forms; without any where they are the same. */
export const irregularVerbs = lists.irregular.split(',').map((verb) => verb.split(' '))

type Verbs = ReadonlyMap<string, Effect>

const verbsOf = (words: { readonly [effect in Effect]?: string }): Verbs =>
  new Map(
    effects.flatMap((effect) => (words[effect]?.split(' ') ?? []).map((word) => [word, effect] as const)),
  )

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
const namedVerbs = { clear: verbsOf(lists.clear), doubtful: verbsOf(lists.doubtful) } as const

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

/** Words of a description among which its verb is looked for. */
const firstWords = 8

/**
 * What a tool does to what it works on: what it declares, else what the verbs of its name say, else the first verb of its description.
 *
 * @returns undefined for an agent, and for a tool that does not tell
 */
export function toolEffect(card: Card): Effect | undefined {
  if (card.kind !== 'tool') return undefined
  const { readOnly, destructive } = card.annotations ?? {}
  if (readOnly === true) return 'reads'
  const said = effectOfName(card.name) ?? effectOfLeadingVerb(card) ?? effectOfDescription(card.description)
  if (readOnly === undefined && destructive === undefined) return said
  // A tool that declares to write may be named for what it gives back; "destructive" is what overwrites as well as what deletes.
  if (destructive === true) return said === 'changes' ? 'changes' : 'destroys'
  return said === 'destroys' && destructive === undefined ? 'destroys' : readOnly === false ? 'changes' : said
}

/** Whether that is its publisher's declaration, and not read from its words. */
export const declaresEffect = (card: Card): boolean =>
  card.kind === 'tool' && (card.annotations?.readOnly !== undefined || card.annotations?.destructive === true)

/** Verbs that are no nouns: last in a name they say what the tool does, as in "deploy_logs_get". */
const lastVerbs = new Set('get fetch retrieve describe create insert delete remove'.split(' '))

/** By its verbs alone. */
export function effectOfName(name: string): Effect | undefined {
  const { clear, doubtful } = namedVerbs
  const words = wordsOf(name)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (lastVerbs.has(last)) return clear.get(last)
  return clear.get(first) ?? clear.get(last) ?? doubtful.get(first) ?? firstOf(words, clear)
}

function effectOfDescription(description: string): Effect | undefined {
  const { clear, doubtful } = spokenVerbs
  const words = wordsOf(description.slice(0, 200)).slice(0, firstWords)
  return doubtful.get(words[0] ?? '') ?? firstOf(words, clear)
}

/**
 * Verbs by which a tool changes something where they lead: its name, or its description ("Release a berth"). `nounLike` ones only before
 * what an object begins with: "Record a weight", but "Record count".
 */
const leading = {
  sure: inAllForms(verbsOf({ changes: lists.leading.sure })),
  nounLike: inAllForms(verbsOf({ changes: lists.leading.nounLike })),
} as const

/** What a sentence that begins with these words changes, by a verb that only leads. */
export const effectOfLead = (first: string, second: string): Effect | undefined =>
  leading.sure.get(first) ?? (objectStarts.has(second) ? leading.nounLike.get(first) : undefined)

function effectOfLeadingVerb({ name, description }: Card): Effect | undefined {
  const [first = '', second = ''] = wordsOf(description.slice(0, 200))
  const said = effectOfLead(first, second)
  if (said !== undefined) return said
  return spokenVerbs.clear.has(first) ? undefined : leading.sure.get(wordsOf(name)[0] ?? '')
}

const firstOf = (words: readonly string[], verbs: ReadonlyMap<string, Effect>): Effect | undefined =>
  words.map((word) => verbs.get(word)).find((effect) => effect !== undefined)

/** Words in lower case, identifiers split. */
export const wordsOf = (text: string): readonly string[] =>
  partedCase(text)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []
