import type { TokenSpace } from '../../vectors/embedding/static-embedding.ts'
import { listMaxima } from '../../vectors/kernels/list-maxima.ts'
import type { CardTokens, TokensOf } from '../index/card-tokens.ts'

/** How well words near in meaning cover a query. Shares of weight, each token counted by its best cosine, 0..1. */
export type SoftMatch = {
  /** As {@link softScore}. */
  readonly score: number
  /** Of the query, by name and text together. */
  readonly coverage: number
  /** Of the query, by the name alone. */
  readonly byName: number
  /** Of the name, by the query. */
  readonly ofName: number
  /** Least cover among the query's three weightiest tokens; 0 for a query without any. */
  readonly weakest: number
}

/** Tokens of a card that are matched: of the name, of the description, and of the parameters. */
export const matchedLimits = { name: 12, description: 32, parameters: 12 } as const

/** What of a card is matched, as a matcher reads it. */
export const matchedTokens =
  (matcher: TokenSpace): TokensOf =>
  ({ name, description, parameters }) => ({
    name: matcher.tokensOf(name, matchedLimits.name),
    text: Uint32Array.from(
      new Set([
        ...matcher.tokensOf(description, matchedLimits.description),
        ...matcher.tokensOf(parameters, matchedLimits.parameters),
      ]),
    ),
  })

/** Tokens of a query that are matched. */
export const mostQueryTokens = 48

const shares = { coverage: 0.5, byName: 0.3, ofName: 0.2 } as const

/** One number for a match, which the token vectors are trained on: its three shares, weighted. */
export const softScore = Object.assign(
  ({ coverage, byName, ofName }: Pick<SoftMatch, keyof typeof shares>): number =>
    shares.coverage * coverage + shares.byName * byName + shares.ofName * ofName,
  { shares },
)

/** A text, and the cards whose tokens it is to meet. */
type ToMatch = { readonly matcher: TokenSpace; readonly text: string; readonly tokens: CardTokens }

/**
 * Late interaction over token vectors: each token of one side meets its nearest of the other.
 *
 * @see Khattab & Zaharia, ColBERT, arXiv 2004.12832, section 3.3 (MaxSim)
 */
export function softMatches(
  { matcher, text, tokens }: ToMatch,
  documents: ArrayLike<number>,
): readonly SoftMatch[] {
  const query = matcher.tokensOf(text, mostQueryTokens)
  const weights = Float64Array.from(query, (token) => matcher.queryWeight(token))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weightiest = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]!).slice(0, 3)
  const lists = Array.from(documents, (document) => [tokens.name(document), tokens.text(document)]).flat()
  const { distinct, rows, ends } = distinctTokens(lists)
  const table = matcher.cosines(distinct, query)
  const { ofLists, step, ofRows } = listMaxima({
    table,
    height: distinct.length,
    width: query.length,
    rows,
    ends,
  })
  const best = new Float64Array(query.length)

  return Array.from(documents, (_, place) => {
    const ofName = step * 2 * place
    const ofText = ofName + step
    let covered = 0
    let byName = 0
    for (let at = 0; at < query.length; at++) {
      const named = ofLists[ofName + at]!
      best[at] = Math.max(named, ofLists[ofText + at]!)
      byName += weights[at]! * named
      covered += weights[at]! * best[at]!
    }
    let nameCovered = 0
    let nameWeight = 0
    for (let entry = ends[2 * place - 1] ?? 0; entry < ends[2 * place]!; entry++) {
      const row = rows[entry]!
      const weight = matcher.documentWeight(distinct[row]!)
      nameCovered += weight * ofRows[row]!
      nameWeight += weight
    }
    const match = {
      coverage: total > 0 ? covered / total : 0,
      byName: total > 0 ? byName / total : 0,
      ofName: nameWeight > 0 ? nameCovered / nameWeight : 0,
    }
    return {
      ...match,
      score: softScore(match),
      weakest: weightiest.reduce((least, at) => Math.min(least, best[at]!), query.length > 0 ? 1 : 0),
    }
  })
}

/** By token its row among the distinct ones plus one, 0 for one not met: of the call under way alone. */
const rowOf = new Uint32Array(65_536)

/** The same of one text, each card once: for who asks again of some of them. */
export type SoftMatcher = (documents: readonly number[]) => readonly SoftMatch[]

export function softMatcher(toMatch: ToMatch): SoftMatcher {
  const known = new Map<number, SoftMatch>()
  return (documents) => {
    const missing = documents.filter((document) => !known.has(document))
    if (missing.length > 0)
      softMatches(toMatch, missing).forEach((match, place) => {
        known.set(missing[place]!, match)
      })
    return documents.map((document) => known.get(document)!)
  }
}

/** Each token of the lists once, and for each entry of the lists, one after the other, its row among these. */
function distinctTokens(lists: readonly Uint16Array[]): {
  readonly distinct: Uint32Array
  readonly rows: Uint32Array
  readonly ends: Uint32Array
} {
  const entries = lists.reduce((sum, { length }) => sum + length, 0)
  const distinct = new Uint32Array(entries)
  const rows = new Uint32Array(entries)
  const ends = new Uint32Array(lists.length)
  let count = 0
  let next = 0
  for (let place = 0; place < lists.length; place++) {
    const list = lists[place]!
    for (let at = 0; at < list.length; at++) {
      const token = list[at]!
      if (rowOf[token] === 0) {
        distinct[count++] = token
        rowOf[token] = count
      }
      rows[next++] = rowOf[token]! - 1
    }
    ends[place] = next
  }
  for (let row = 0; row < count; row++) rowOf[distinct[row]!] = 0
  return { distinct: distinct.subarray(0, count), rows, ends }
}

const words = /[\p{L}\p{M}]+/gu
/** Words that are looked at: a long story is told from its beginning. */
const mostWords = 200

/**
 * Share of a text's words that a model's vocabulary holds whole, 0..1; 1 for a text without words. A word that is cut into
 * pieces carries little meaning, so that of a request with few known ones a ranking tells little: most requests in a
 * language that the model has not learned.
 */
export function knownShare(text: string, matcher: Pick<TokenSpace, 'tokensOf'>): number {
  const distinct = [...new Set(text.toLowerCase().match(words) ?? [])].slice(0, mostWords)
  if (distinct.length === 0) return 1
  return distinct.filter((word) => matcher.tokensOf(word, 2).length === 1).length / distinct.length
}
