import { keyOfName } from '../../domain/text/word-rules.ts'
import type { CardIndex } from '../index/card-index.ts'
import { type CardGroup, prefixIn } from '../index/catalog-counts.ts'
import type { EmbeddingModel } from '../ports.ts'
import { byList, isListed, isSureName, learnedNames } from './listed-names.ts'
import type { NamePlace, SignName } from './name-places.ts'

/** The systems that a catalog's cards belong to, by what they are called. */
export type CatalogNames = {
  /** Cards of a system of this name, 0 when there is none. @param key - as `keyOfName` */
  cardsOf(key: string): number
  /** Whether a card belongs to a system of this name. */
  belongs(document: number, key: string): boolean
  /** The one name that has a word; the word itself where no name or several have it. */
  nameWith(word: string): string
  /** Words of the longest name. */
  readonly longest: number
}

/** What says that something is a system, and not which. */
const sorts =
  /\b(?:official|mcp|server|api|apis|tools?|toolkit|client|service|plugin|integration|app|connector|the|by|for|agent|agents|skills?)\b/g
/** Names of more words are descriptions. */
const mostWords = 4
const shortest = 3

const made = new WeakMap<CardIndex, CatalogNames>()

/** Made when first asked for, once for each index. */
export function catalogNames(index: CardIndex): CatalogNames {
  const known = made.get(index) ?? namesOf(index)
  made.set(index, known)
  return known
}

function namesOf(index: CardIndex): CatalogNames {
  const keysOfText = new Map<string, readonly string[]>()
  const namesWith = new Map<string, Set<string>>()
  let longest = 1
  const keysIn = (text: string): readonly string[] => {
    const known = keysOfText.get(text)
    if (known) return known
    const words = wordsOfName(text)
    const isName = words.length > 0 && words.length <= mostWords
    if (isName) longest = Math.max(longest, words.length)
    const key = keyOfName(words.join(''))
    if (isName && words.length > 1)
      for (const word of words)
        if (word.length >= shortest) namesWith.set(word, (namesWith.get(word) ?? new Set()).add(key))
    const keys = isName && key.length >= shortest && !/^\p{N}+$/u.test(key) ? [key] : []
    keysOfText.set(text, keys)
    return keys
  }
  const servers = index.values.servers.table
  type Place = Pick<CardGroup, 'source' | 'publisher' | 'server'>
  const keysOfPlace = ({ source, publisher, server }: Place): ReadonlySet<string> =>
    new Set([source, publisher, ...(server === null ? [] : [server])].flatMap(keysIn))
  let last: { readonly of: readonly [string, string, number]; readonly keys: ReadonlySet<string> } | undefined
  /** Cards that come together stand together: their keys are made once. */
  const keysOf = (document: number): ReadonlySet<string> => {
    const of = [index.source(document), index.publisher(document), index.family(document)] as const
    if (last?.of.every((one, at) => one === of[at])) return last.keys
    const [source, publisher, family] = of
    const server = family < servers.size ? servers.at(family) : null
    last = { of, keys: keysOfPlace({ source, publisher, server }) }
    return last.keys
  }
  const { keyOf: keyOfPrefix, of: prefixOf } = prefixReader()
  const counts = new Map<string, number>()
  const prefixed = new Map<string, number>()
  const count = (counted: Map<string, number>, key: string | undefined, cards = 1): void => {
    if (key !== undefined) counted.set(key, (counted.get(key) ?? 0) + cards)
  }
  // Where only some cards are at hand, all of them count.
  for (const group of index.catalog?.groups() ?? [])
    for (const key of keysOfPlace(group)) count(counts, key, group.cards)
  for (const [prefix, cards] of index.catalog?.prefixes() ?? []) count(prefixed, keyOfPrefix(prefix), cards)
  for (let document = 0; index.catalog === null && document < index.size; document++) {
    for (const key of keysOf(document)) count(counts, key)
    count(prefixed, prefixOf(index.ids.at(document)))
  }
  return {
    cardsOf: (key) => counts.get(key) ?? prefixed.get(key) ?? 0,
    // Where a server is called so, its cards are meant.
    belongs: (document, key) =>
      counts.has(key) ? keysOf(document).has(key) : prefixOf(index.ids.at(document)) === key,
    nameWith(word) {
      const [name, ...more] = namesWith.get(word) ?? []
      return name === undefined || more.length > 0 ? word : name
    },
    longest,
  }
}

/** The system by which a tool's own name begins: `chat-tools/slack_post_message` is of slack as well. */
function prefixReader(): {
  readonly keyOf: (prefix: string) => string | undefined
  readonly of: (id: string) => string | undefined
} {
  const known = new Map<string, string | undefined>()
  const keyOf = (prefix: string): string | undefined => {
    if (known.has(prefix)) return known.get(prefix)
    const key = keyOfName(prefix)
    const sure = isSureName(key) ? key : undefined
    known.set(prefix, sure)
    return sure
  }
  return {
    keyOf,
    of(id) {
      const prefix = prefixIn(id)
      return prefix === undefined ? undefined : keyOf(prefix)
    },
  }
}

/** `@acme/gitlab-mcp-server` is gitlab: what stands before a slash is whose it is. */
export function wordsOfName(text: string): readonly string[] {
  const own = text.replace(/^@?[^/]*\/(?=[^/]+$)/, '')
  const spaced = own.replace(/[^\p{L}\p{N}]+/gu, ' ').toLowerCase()
  const telling = spaced.replace(sorts, ' ').trim()
  return (telling === '' ? [] : telling.split(/\s+/)).filter((word) => word !== '')
}

/** Weights of a logistic head over what tells of a place. */
type NameHead = {
  readonly bias: number
  readonly signs: { readonly [sign in SignName]: number }
}

/** Log-odds of a place and a word without a model, and the same beside the vector of the word. */
const plainHead: NameHead = learnedNames.plain
const vectorHead: NameHead & { readonly model: string; readonly vector: readonly number[] } =
  learnedNames.byVector

/** The model whose vectors of words the heads were learned beside. */
export const modelOfNames = vectorHead.model

/** Log-odds that a word is the name of a system, by the words around it, by the word's vector, and by names that are known. */
export async function nameLikelihood(
  { text, signs }: NamePlace,
  model: EmbeddingModel | null,
): Promise<number> {
  // What the vectors say of names that are known is known better.
  const isRead = model?.id === vectorHead.model && !isListed(text)
  const head = isRead ? vectorHead : plainHead
  const vector =
    isRead && !isPieced(signs) && model ? (await model.embed([text.toLowerCase()], 'query'))[0]! : undefined
  const byVector = vector?.reduce((sum, value, at) => sum + value * vectorHead.vector[at]!, 0) ?? 0
  const bySigns = signs.reduce((sum, sign) => sum + head.signs[sign], 0)
  return head.bias + bySigns + byVector + byList(text)
}

/** The pieces of a word that the model does not have whole are of other words: where it stands says more. */
const isPieced = (signs: readonly SignName[]): boolean =>
  signs.includes('unknown') &&
  (signs.includes('in-end') || signs.includes('using-end')) &&
  !signs.some((sign) => sign === 'definite' || sign === 'indefinite' || sign === 'possessive')
