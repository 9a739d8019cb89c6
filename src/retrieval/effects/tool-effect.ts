import type { Card } from '../../domain/card.ts'
import { partedCase } from '../../domain/text/word-rules.ts'
import { type Effect, namedVerbs, spokenVerbs } from './effect.ts'

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
  const said = effectOfName(card.name) ?? effectOfDescription(card.description)
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

const firstOf = (words: readonly string[], verbs: ReadonlyMap<string, Effect>): Effect | undefined =>
  words.map((word) => verbs.get(word)).find((effect) => effect !== undefined)

/** Words in lower case, identifiers split. */
export const wordsOf = (text: string): readonly string[] =>
  partedCase(text)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []
