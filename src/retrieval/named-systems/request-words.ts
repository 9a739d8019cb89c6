import { keyOfName } from '../../domain/text/word-rules.ts'
import { readData } from '../../read-data.ts'
import type data from './name-words.json'

/** A word of a request with what stands around it. */
export type RequestWord = {
  /** As it was written, without quotes and punctuation. */
  readonly text: string
  /** As {@link keyOfName}. */
  readonly key: string
  /** First of a sentence, a clause or a quotation: its capital says nothing, and it may be a verb. */
  readonly startsClause: boolean
  /** Last before punctuation or the end. */
  readonly endsClause: boolean
  readonly isQuoted: boolean
}

const pattern =
  /(["'“”‘’«»`]?)([\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_.&'’+][\p{L}\p{M}\p{N}]+)*\+*)(["'“”‘’«»`]?)([.,;:!?()\n]*)/gu
/** Latin words within Chinese or Japanese text stand without spaces. */
const scripts =
  /\p{Script=Latin}[\p{Script=Latin}\p{M}\p{N}]*(?:[-_.&+][\p{Script=Latin}\p{N}]+)*|[^\p{Script=Latin}]+/gu
const mostWords = 400

/** The words of a request, at most 400. */
export function requestWords(request: string): readonly RequestWord[] {
  const words: RequestWord[] = []
  let startsClause = true
  for (const [, opening = '', run = '', closing = '', stop = ''] of request.matchAll(pattern)) {
    const parts = /[^\p{Script=Latin}\p{M}\p{N}\p{P}]/u.test(run) ? (run.match(scripts) ?? []) : [run]
    for (const [place, text] of parts.entries()) {
      const isLast = place === parts.length - 1
      words.push({
        text,
        key: keyOfName(text.replace(/['’]s$/, '')),
        startsClause: startsClause && place === 0,
        endsClause: isLast && stop !== '',
        isQuoted: opening !== '' && closing !== '' && parts.length === 1,
      })
    }
    startsClause = stop !== ''
    if (words.length >= mostWords) break
  }
  const last = words.at(-1)
  if (last) words[words.length - 1] = { ...last, endsClause: true }
  return words
}

/** Words by which places of names are told, in the languages that most requests come in. */
export const nameWords = readData<typeof data>(new URL('./name-words.json', import.meta.url))

/** By keys, as words are looked up: "über" is `uber`. */
export const closedClass = (text: string): ReadonlySet<string> => new Set(text.split(' ').map(keyOfName))

export const eachClosed = <Name extends string>(lists: { readonly [name in Name]: string }) =>
  Object.fromEntries(Object.entries<string>(lists).map(([name, list]) => [name, closedClass(list)])) as {
    readonly [name in Name]: ReadonlySet<string>
  }

/** Words after which a name of a system may stand. */
export const beforeNames = closedClass(nameWords.beforeNames)
/** After them something is one of many: no name. */
export const articles = closedClass(nameWords.articles)
/** What goes on after a name. */
export const afterNames = closedClass(nameWords.afterNames)
/** What a system holds, or is: after its name they make clear that one is meant. */
export const holders = closedClass(nameWords.holders)
/** Of those, what topics are not said of as well: "a music event", "a trip ticket", but "a gitlab issue". */
export const systemHolders = closedClass(nameWords.systemHolders)
