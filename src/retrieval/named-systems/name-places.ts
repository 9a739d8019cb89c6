import type { LearnedRanker } from '../rank/learned-ranker.ts'
import { isListed } from './listed-names.ts'
import {
  afterNames,
  articles,
  closedClass,
  eachClosed,
  holders,
  nameWords,
  type RequestWord,
  systemHolders,
} from './request-words.ts'

/** A place of a request where the name of a system may stand. */
export type NamePlace = {
  /** As the request writes it. */
  readonly text: string
  /** Of its first word. */
  readonly from: number
  /** What tells of the place, by {@link signNames}. */
  readonly signs: readonly SignName[]
}

/** Words before a name, by what they say, in the languages that most requests come in. */
const prepositions = eachClosed(nameWords.prepositions)
type Preposition = keyof typeof prepositions

const determiners = { ...eachClosed(nameWords.determiners), indefinite: articles }
type Determiner = keyof typeof determiners

/** What ends a German sentence after the thing that its verb is about: "lege eine Aufgabe in Asana an". */
const particles = closedClass(nameWords.particles)
const longestName = 3

export const signNames = [
  ...(Object.keys(prepositions) as Preposition[]),
  ...(Object.keys(determiners) as Determiner[]),
  ...([
    'start',
    'verb-like',
    'end',
    'goes-on',
    'system-holder',
    'holder',
    'held-by-first',
    'other-after',
  ] as const),
  ...([
    'large',
    'mixed-case',
    'several-words',
    'digit',
    'foreign-script',
    'large-after',
    'large-before',
    'short',
    'long-request',
  ] as const),
  ...([
    'to-end',
    'from-end',
    'with-end',
    'in-end',
    'using-end',
    'large-holder',
    'large-end',
    'unknown',
    'unknown-large',
    'unknown-holder',
  ] as const),
] as const
export type SignName = (typeof signNames)[number]

/**
 * Where names may stand: after a preposition and before nothing that they would describe, or before what a system holds.
 *
 * @param isHeld - whether the first candidates work on what a word says, so that it is what a system holds
 * @param isKnown - whether a model has a word whole; null without one
 */
export function namePlaces(
  request: readonly RequestWord[],
  isHeld: (word: RequestWord) => boolean,
  isKnown: ((word: string) => boolean) | null,
): readonly NamePlace[] {
  const latin = request.filter(({ text }) => isLatin(text))
  const unknown = isKnown === null ? [] : latin.filter(({ text }) => !isKnown(text.toLowerCase()))
  // Of a request in another language most words are unknown.
  const tells = unknown.length <= Math.max(1, mostUnknown * latin.length)
  const plain = request.length > 3 && request.filter(isLarge).length > request.length / 2
  return request.flatMap((word, from): readonly NamePlace[] => {
    const compound = compoundOf(word)
    const first = compound ?? word
    if (!couldName(first.text)) return []
    const span = [word]
    // Names of several words are written large in all of them.
    while (
      !plain &&
      compound === null &&
      isLarge(word) &&
      span.length < longestName &&
      !span.at(-1)!.endsClause
    ) {
      const next = request[from + span.length]
      if (next === undefined || !isLarge(next) || !couldName(next.text)) break
      // "via Google Drive", but "a Zendesk Ticket".
      if (holders.has(next.key) && kindOf(prepositions, request[from - 1]?.key ?? '') === undefined) break
      span.push(next)
    }
    const last = request[from + 1]
    if (last && isPair(request.slice(Math.max(0, from - 1), from + 2))) span.push(last)
    const after = compound
      ? compound.holder
      : span.at(-1)!.endsClause
        ? undefined
        : request[from + span.length]
    const signs = signsOf({
      request,
      from,
      after,
      isHeld,
      isLarge: !plain && isLarge(first),
      text: first.text,
    })
    if (signs === null) return []
    if (span.length > 1) signs.push('several-words')
    if (tells && unknown.includes(word)) {
      signs.push('unknown')
      if (signs.includes('large')) signs.push('unknown-large')
      if (signs.some((sign) => /holder$/.test(sign))) signs.push('unknown-holder')
    }
    return [
      {
        text: compound ? first.text : span.map(({ text }) => text).join(' '),
        from,
        signs,
      },
    ]
  })
}

/** "In csv format" names no system. */
const forms = closedClass(nameWords.forms)

/** A name in small letters that ends its clause, and begins as a known one does: "with google maps". */
function isPair([before, first, last]: readonly RequestWord[]): boolean {
  if (before === undefined || first === undefined || last === undefined) return false
  const isWritten = [first, last].every((word) => !isLarge(word) && couldName(word.text))
  const isPlaced = !before.endsClause && kindOf(prepositions, before.key) !== undefined
  return (
    isWritten &&
    isPlaced &&
    !first.endsClause &&
    last.endsClause &&
    ![first, last].some(({ key }) => holders.has(key) || forms.has(key)) &&
    isListed(`${first.text} ${last.text}`)
  )
}

type Place = {
  readonly request: readonly RequestWord[]
  readonly from: number
  readonly after: Pick<RequestWord, 'key' | 'text'> | undefined
  readonly isHeld: (word: RequestWord) => boolean
  readonly isLarge: boolean
  readonly text: string
}

function signsOf({ request, from, after, isHeld, isLarge: large, text }: Place): SignName[] | null {
  const word = request[from]!
  const at = (back: number): RequestWord | undefined => {
    for (let place = from; place > from - back; place--) if (request[place]?.startsClause) return undefined
    return request[from - back]
  }
  const before = at(1)
  const direct = before && kindOf(prepositions, before.key)
  const determiner = before && !direct ? kindOf(determiners, before.key) : undefined
  const preposition = direct ?? (determiner && kindOf(prepositions, at(2)?.key ?? ''))
  const isForeign =
    isLatin(text) && [before, after].some((other) => other !== undefined && !isLatin(other.text))
  const isEnd = after === undefined || (particles.has(after.key) && from + 2 >= request.length)
  const goesOn = !isEnd && afterNames.has(after!.key)
  const isHolder = !isEnd && (holders.has(after!.key) || isHeld(after as RequestWord))
  const stands = preposition !== undefined && (isEnd || goesOn)
  if (!stands && !isHolder && !isForeign) return null
  const signs: SignName[] = []
  if (preposition) signs.push(preposition)
  if (determiner) signs.push(determiner)
  if (word.startsClause) signs.push('start')
  if (before === undefined || (!preposition && !determiner)) signs.push('verb-like')
  if (isEnd) signs.push('end')
  else if (goesOn) signs.push('goes-on')
  else if (systemHolders.has(after!.key)) signs.push('system-holder')
  else if (holders.has(after!.key)) signs.push('holder')
  else if (isHolder) signs.push('held-by-first')
  else signs.push('other-after')
  const counts = large && !word.startsClause
  if (counts) signs.push('large')
  if (/\p{Ll}\p{Lu}/u.test(text)) signs.push('mixed-case')
  if (/\p{N}/u.test(text)) signs.push('digit')
  if (isForeign) signs.push('foreign-script')
  if (after && /^\p{Lu}/u.test(after.text)) signs.push('large-after')
  if (before && !before.startsClause && isLarge(before)) signs.push('large-before')
  if (text.length < 4) signs.push('short')
  if (request.length > longRequest) signs.push('long-request')
  if (isEnd && preposition && preposition !== 'other')
    signs.push(preposition === 'into' ? 'in-end' : `${preposition}-end`)
  if (counts && isHolder) signs.push('large-holder')
  if (counts && isEnd) signs.push('large-end')
  return signs
}

const longRequest = 14
const mostUnknown = 0.25

function kindOf<Kind extends string>(
  kinds: { readonly [kind in Kind]: ReadonlySet<string> },
  key: string,
): Kind | undefined {
  return (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].has(key))
}

/** "Zendesk-Ticket" is a ticket of Zendesk. */
function compoundOf({ text }: RequestWord) {
  const [, name, held] = /^(\p{L}{3,})-(\p{L}+)$/u.exec(text) ?? []
  return name !== undefined && held !== undefined && holders.has(held.toLowerCase())
    ? { text: name, holder: { key: held.toLowerCase(), text: held.toLowerCase() } }
    : null
}

/** A word with letters: no address, path, date or code. */
const couldName = (text: string): boolean =>
  text.length > 2 &&
  /^\p{L}[\p{L}\p{M}\p{N}+.-]*$/u.test(text) &&
  !/[-_.]\p{N}|\p{N}{2}|\.\p{Ll}{2,4}$/u.test(text)

const isLarge = ({ text }: Pick<RequestWord, 'text'>): boolean => /^\p{Lu}|\p{Ll}\p{Lu}/u.test(text)
const isLatin = (text: string): boolean => /^\p{Script=Latin}/u.test(text)

/** Whether a model has a word whole, or its singular. */
export const knownBy =
  (matcher: Pick<LearnedRanker['matcher'], 'tokensOf'>) =>
  (word: string): boolean =>
    [word, word.replace(/s$/, '')].some((form) => matcher.tokensOf(form, 2).length === 1)
