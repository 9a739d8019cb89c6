import type { TokenSpace } from '../../../src/vectors/embedding/static-embedding.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../../src/domain/card.ts'
import { openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import { type CardTokens, cardTokens, packTokens } from '../../../src/retrieval/index/card-tokens.ts'
import { textsOf } from '../../../src/retrieval/text/card-texts.ts'
import { packSections, unpackSections } from '../../../src/retrieval/text/sections.ts'
import { matchedTokens, type SoftMatch, softMatches } from '../../../src/retrieval/rank/soft-match.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { type PlaneWord, wordMatcher } from '../../fakes/word-matcher.ts'

const matcher = wordMatcher([
  { word: 'send', direction: 0, inQuery: 3, inDocument: 2 },
  { word: 'dispatch', direction: 60 }, // cosine 1/2 to send
  { word: 'email', direction: 90, inQuery: 1, inDocument: 4 }, // none to send, cos 30 to dispatch
  { word: 'apart', direction: 180 }, // -1 to send
  { word: 'weightless', direction: 0, inQuery: 0, inDocument: 0 },
])
const cos30 = Math.cos(Math.PI / 6)

/** Names and texts of cards, packed and opened as a search image packs and opens them. */
function tokensOf(cards: readonly ToolCard[], own: TokenSpace = matcher): CardTokens {
  return cardTokens(
    unpackSections(packSections({}, packTokens(cards.map((one) => matchedTokens(own)(textsOf(one)))))),
  )
}

const card = (name: string, description: string, more: Partial<ToolCard> = {}): ToolCard =>
  toolCard(`a/${name}`, { name, description, ...more })

const matchOf = (query: string, name: string, description: string): SoftMatch =>
  softMatches({ matcher, text: query, tokens: tokensOf([card(name, description)]) }, [0])[0]!

describe('a soft match by hand', () => {
  test.each([
    {
      why: 'a word finds itself, in the name',
      query: 'send',
      card: ['send', ''],
      expected: { coverage: 1, byName: 1, ofName: 1, weakest: 1 },
    },
    {
      why: 'a word near in meaning counts by its cosine, both ways',
      query: 'send',
      card: ['dispatch', ''],
      expected: { coverage: 0.5, byName: 0.5, ofName: 0.5, weakest: 0.5 },
    },
    {
      why: 'the text covers what the name does not',
      query: 'send',
      card: ['dispatch', 'send'],
      expected: { coverage: 1, byName: 0.5, ofName: 0.5, weakest: 1 },
    },
    {
      why: 'words of the query weigh as in a query: send 3, email 1',
      query: 'send email',
      card: ['email', ''],
      expected: { coverage: 1 / 4, byName: 1 / 4, ofName: 1, weakest: 0 },
    },
    {
      why: 'words of the name weigh as in a document: send 2, email 4',
      query: 'send',
      card: ['send email', ''],
      expected: { coverage: 1, byName: 1, ofName: 2 / 6, weakest: 1 },
    },
    {
      why: 'each word takes its nearest: send the half of dispatch, email its cosine of 30 degrees',
      query: 'send email',
      card: ['', 'dispatch'],
      expected: { coverage: (3 * 0.5 + cos30) / 4, byName: 0, ofName: 0, weakest: 0.5 },
    },
    {
      why: 'opposite meanings take nothing away',
      query: 'send',
      card: ['apart', 'apart'],
      expected: { coverage: 0, byName: 0, ofName: 0, weakest: 0 },
    },
    {
      why: 'a card without a word that is known',
      query: 'send',
      card: ['quorv', 'quorv'],
      expected: { coverage: 0, byName: 0, ofName: 0, weakest: 0 },
    },
    {
      why: 'words that count nothing are no reason to divide by nothing',
      query: 'weightless',
      card: ['weightless', ''],
      expected: { coverage: 0, byName: 0, ofName: 0, weakest: 1 },
    },
    {
      why: 'a query without a word that is known is covered by nothing',
      query: 'quorv',
      card: ['send', 'email'],
      expected: { coverage: 0, byName: 0, ofName: 0, weakest: 0 },
    },
  ])('$why', ({ query, card: [name, description], expected }) => {
    const score = 0.5 * expected.coverage + 0.3 * expected.byName + 0.2 * expected.ofName
    expect(matchOf(query, name!, description!)).toEqual(
      Object.fromEntries(
        Object.entries({ score, ...expected }).map(([key, value]) => [key, expect.closeTo(value, 6)]),
      ),
    )
  })

  test('the weakest is among the three words that weigh most', () => {
    const own = wordMatcher(
      ['one', 'two', 'three', 'four'].map((word, at) => ({
        word,
        direction: 90 * (at % 2),
        inQuery: 4 - at,
      })),
    )
    const weakestOf = (query: string, description: string) =>
      softMatches({ matcher: own, text: query, tokens: tokensOf([card('x', description)], own) }, [0])[0]!
        .weakest
    // `one` and `three` point one way, `two` and `four` the other.
    expect(weakestOf('one three', 'one')).toBeCloseTo(1, 6)
    expect(weakestOf('one two three', 'one')).toBeCloseTo(0, 6)
    expect(weakestOf('four one two three', 'one two')).toBeCloseTo(1, 6)
  })

  test('documents are told in the order asked, repeats too, and as if each were alone', () => {
    const tokens = tokensOf([card('send', 'email'), card('dispatch', ''), card('email', 'send')])
    const asked = { matcher, text: 'send email', tokens }
    const alone = [0, 1, 2].map((document) => softMatches(asked, [document])[0])
    expect(softMatches(asked, [2, 0, 2])).toEqual([alone[2], alone[0], alone[2]])
    expect(softMatches(asked, [])).toEqual([])
  })
})

/** Twenty directions with weights of their own. */
const letters = [...'abcdefghijklmnopqrst']
const words: readonly PlaneWord[] = letters.map((word, at) => ({
  word,
  direction: (at * 97) % 360,
  inQuery: 1 + (at % 5),
  inDocument: 1 + (at % 3),
}))
const many = wordMatcher(words)
const text = fc.array(fc.constantFrom(...letters, 'quorv'), { maxLength: 10 }).map((list) => list.join(' '))

/** The definition: per word of the one side its nearest of the other, never below nothing. */
function nearest(list: Uint32Array, others: Iterable<number>, weightOf: (token: number) => number): number {
  const wanted = [...others]
  let sum = 0
  let total = 0
  for (const token of list) {
    const best = wanted.reduce((most, other) => Math.max(most, many.cosines([token], [other])[0]!), 0)
    sum += weightOf(token) * best
    total += weightOf(token)
  }
  return total > 0 ? sum / total : 0
}

test('soft matches are the definition, in 0..1, and the name alone never covers more than the card', () => {
  fc.assert(
    fc.property(text, fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (query, texts) => {
      const cards = texts.map(([name, description]) => card(name, description))
      const matches = softMatches({ matcher: many, text: query, tokens: tokensOf(cards, many) }, [
        ...cards.keys(),
      ])
      const asked = many.tokensOf(query, 48)
      matches.forEach(({ coverage, byName, ofName, weakest }, document) => {
        const name = many.tokensOf(texts[document]![0], 12)
        const all = [...name, ...many.tokensOf(texts[document]![1], 32)]
        expect(coverage).toBeCloseTo(nearest(asked, all, many.queryWeight), 6)
        expect(byName).toBeCloseTo(nearest(asked, name, many.queryWeight), 6)
        expect(ofName).toBeCloseTo(nearest(name, asked, many.documentWeight), 6)
        expect(byName).toBeLessThanOrEqual(coverage)
        for (const share of [coverage, byName, ofName, weakest]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1 + 1e-6)
        }
      })
    }),
  )
})

describe('tokens of cards', () => {
  test('are those of the name, and of description and parameters together, each once', () => {
    const parameters = [{ name: 'dispatch', description: 'send email', required: true }]
    const own = card('send email', 'email email apart', { parameters, examples: ['weightless'] })
    const { name, text } = matchedTokens(matcher)(textsOf(own))
    expect([...name]).toEqual([0, 2])
    expect([...text]).toEqual([2, 3, 1, 0])
  })

  test('are read up to a limit per field', () => {
    const counted: { text: string; limit: number }[] = []
    const spy: TokenSpace = {
      ...matcher,
      tokensOf: (read, limit) => {
        counted.push({ text: read, limit })
        return new Uint32Array(0)
      },
    }
    const parameters = [{ name: 'to', description: 'whom', required: true }]
    matchedTokens(spy)(textsOf(card('send', 'mail', { parameters })))
    expect(counted).toEqual([
      { text: 'send', limit: 12 },
      { text: 'mail', limit: 32 },
      { text: 'to whom', limit: 12 },
    ])
  })

  test('survive packing, cards without any among them, up to the largest number', () => {
    const lists = fc.array(
      fc.tuple(
        fc.uint16Array({ maxLength: 4 }).map((ids) => Uint32Array.from(ids)),
        fc.uint16Array({ maxLength: 4 }).map((ids) => Uint32Array.from(ids)),
      ),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(lists, (own) => {
        const packed = packTokens(own.map(([name, text]) => ({ name, text })))
        const tokens = cardTokens(unpackSections(packSections({}, packed)))
        own.forEach(([name, ofText], document) => {
          expect([...tokens.name(document)]).toEqual([...name])
          expect([...tokens.text(document)]).toEqual([...ofText])
        })
      }),
    )
  })

  test('stand in a search image by document, when it was packed with them, and not otherwise', () => {
    const cards = [card('send', 'email'), card('dispatch', 'apart')]
    const index = openCardIndex(packCardIndex(cards, { tokensOf: matchedTokens(matcher) }))!
    const document = index.ids.indexOf('a/send')
    expect([...index.tokens!.name(document)]).toEqual([0])
    expect([...index.tokens!.text(document)]).toEqual([2])
    expect(openCardIndex(packCardIndex(cards))!.tokens).toBeNull()
  })
})
