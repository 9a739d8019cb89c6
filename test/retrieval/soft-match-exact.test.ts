import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CardTokens } from '../../src/retrieval/index/card-tokens.ts'
import { type SoftMatch, softMatches } from '../../src/retrieval/rank/soft-match.ts'
import { byteTokens } from '../../src/vectors/embedding/segment-word.ts'
import { quantise, staticEmbedding, type TokenSpace } from '../../src/vectors/embedding/static-embedding.ts'
import { vocabularyOf } from '../../src/vectors/embedding/vocabulary.ts'

const words = Array.from(
  { length: 60 },
  (_, at) => `w${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at)}`,
)
const vocabulary = vocabularyOf([...byteTokens, ...words])
const dimensions = 24
const weights = quantise({
  vocabulary,
  dimensions,
  // Every ninth token has no vector.
  table: Float32Array.from({ length: vocabulary.size * dimensions }, (_, at) =>
    Math.floor(at / dimensions) % 9 === 0 ? 0 : Math.sin(at * 1.7),
  ),
  queryWeights: Float32Array.from({ length: vocabulary.size }, (_, token) => Math.cos(token)),
  documentWeights: Float32Array.from({ length: vocabulary.size }, (_, token) => Math.sin(token)),
  queryLimit: 100,
  fields: [{ name: 'name', limit: 16, weight: 1 }],
})
const matcher: TokenSpace = staticEmbedding(weights).tokens

/** Cosines by the rows themselves, in the number types of the model. */
function cosine(token: number, other: number): number {
  const row = (of: number) => weights.rows.subarray(of * dimensions, (of + 1) * dimensions)
  const dot = (a: Int8Array, b: Int8Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  const length = (of: number) => Math.fround(Math.sqrt(dot(row(of), row(of))))
  const product = length(token) * length(other)
  return token === other ? 1 : product > 0 ? Math.fround(dot(row(token), row(other)) / product) : 0
}

/** One card after the other, one pair of tokens after the other. */
function plainly(text: string, name: Uint16Array, rest: Uint16Array): SoftMatch {
  const query = [...matcher.tokensOf(text, 48)]
  const best = query.map((token) =>
    [...name].reduce((most, other) => Math.max(most, cosine(token, other)), 0),
  )
  const total = query.reduce((sum, token) => sum + matcher.queryWeight(token), 0)
  const covered = () => query.reduce((sum, token, at) => sum + matcher.queryWeight(token) * best[at]!, 0)
  const byName = covered()
  let ofName = 0
  let nameWeight = 0
  for (const token of name) {
    const nearest = query.reduce((most, other) => Math.max(most, cosine(token, other)), 0)
    ofName += matcher.documentWeight(token) * nearest
    nameWeight += matcher.documentWeight(token)
  }
  for (const other of rest)
    query.forEach((token, at) => {
      best[at] = Math.max(best[at]!, cosine(token, other))
    })
  const byWeight = query.map((token, at) => [matcher.queryWeight(token), best[at]!] as const)
  const coverage = total > 0 ? covered() / total : 0
  const shareByName = total > 0 ? byName / total : 0
  const shareOfName = nameWeight > 0 ? ofName / nameWeight : 0
  return {
    score: 0.5 * coverage + 0.3 * shareByName + 0.2 * shareOfName,
    coverage,
    byName: shareByName,
    ofName: shareOfName,
    weakest: byWeight
      .sort(([a], [b]) => b - a)
      .slice(0, 3)
      .reduce((most, [, least]) => Math.min(most, least), query.length > 0 ? 1 : 0),
  }
}

const list = fc.uint16Array({ maxLength: 12, max: vocabulary.size - 1 })

test('soft matches of many cards at once are those of the plain form, to the last bit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words, 'unseen'), { maxLength: 14 }),
      fc.array(fc.tuple(list, list), { minLength: 1, maxLength: 6 }),
      (query, cards) => {
        const tokens: CardTokens = {
          name: (document) => cards[document]![0],
          text: (document) => cards[document]![1],
        }
        const text = query.join(' ')
        expect(softMatches({ matcher, text, tokens }, [...cards.keys()])).toEqual(
          cards.map(([name, rest]) => plainly(text, name, rest)),
        )
      },
    ),
  )
})
