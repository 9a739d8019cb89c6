import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../../src/domain/card.ts'
import { type Tier, tiers } from '../../../src/retrieval/answer.ts'
import {
  byProvenance,
  type CardProvenance,
  leads,
  neverBehind,
  tierOf,
} from '../../../src/retrieval/defences/provenance.ts'
import { standingsOfCards } from '../../../src/retrieval/facts/agreement.ts'
import type { RankedCard } from '../../../src/retrieval/rank/ranked-card.ts'
import type { Standing } from '../../../src/store/source-state.ts'
import type { Standings } from '../../../src/trust/standing.ts'

type Given = { readonly tier: Tier; readonly serves: number; readonly failed?: boolean }

const standingOf = (tier: Tier): Standing => (tier === 'proven' ? 'stranger' : tier)

/** Best first, as a ranking has them. */
function ranked(given: readonly Given[]) {
  const cards = given.map(
    (_, document): RankedCard => ({
      document,
      score: 1 - document / (given.length + 1),
      lexical: undefined,
      dense: undefined,
      lift: undefined,
      facets: [],
    }),
  )
  const provenanceOf = ({ document }: RankedCard): CardProvenance => {
    const { tier, serves, failed } = given[document]!
    return {
      standing: standingOf(tier),
      speaks: tier === 'proven' ? 'for' : failed ? 'against' : undefined,
      serves: () => serves,
    }
  }
  return { cards, after: byProvenance(cards, provenanceOf) }
}

const order = (given: readonly Given[]): readonly number[] =>
  ranked(given).after.map(({ document }) => document)

describe('the order of tiers', () => {
  const above: readonly (readonly [Tier, Tier])[] = [
    ['proven', 'stranger'],
    ['installed', 'stranger'],
    ['installed', 'accepted'],
    ['accepted', 'stranger'],
    ['proven', 'newcomer'],
    ['installed', 'newcomer'],
    ['accepted', 'newcomer'],
    ['stranger', 'newcomer'],
    ['installed', 'distrusted'],
    ['stranger', 'distrusted'],
    ['newcomer', 'distrusted'],
  ]
  test.each(above)(
    '%s that serves stands before %s, and one that does not is left where it is',
    (high, low) => {
      const surely = [
        { tier: low, serves: 1 },
        { tier: high, serves: 1 },
      ]
      expect(order(surely)).toEqual([1, 0])
      expect(order(surely.toReversed())).toEqual([0, 1])
      const hardly = leads(high, low) / 2
      expect(order([surely[0]!, { tier: high, serves: hardly }])).toEqual([0, 1])
    },
  )

  test('the less is known of who stands before it, the less a card must serve', () => {
    for (const least of [leads, neverBehind]) {
      expect(least('installed', 'newcomer')).toBeLessThan(least('installed', 'stranger'))
      expect(least('installed', 'distrusted')).toBeLessThanOrEqual(least('installed', 'newcomer'))
      expect(least('installed', 'newcomer')).toBeLessThanOrEqual(least('stranger', 'newcomer'))
    }
  })

  test('a card that failed here is put before nothing', () => {
    expect(
      order([
        { tier: 'newcomer', serves: 0 },
        { tier: 'installed', serves: 1, failed: true },
      ]),
    ).toEqual([0, 1])
  })

  test('proof does not outweigh that the user distrusts the source', () => {
    expect(tierOf({ standing: 'distrusted', speaks: 'for' })).toBe('distrusted')
    expect(tierOf({ standing: 'newcomer', speaks: 'for' })).toBe('proven')
  })
})

const givens = fc.array(
  fc.record({
    tier: fc.constantFrom(...tiers),
    serves: fc.double({ min: 0, max: 1, noNaN: true }),
    failed: fc.boolean(),
  }),
  { maxLength: 24 },
)

describe('any ranking', () => {
  test('keeps its cards, and scores tell the order', () => {
    fc.assert(
      fc.property(givens, (given) => {
        const { cards, after } = ranked(given)
        expect(after.map(({ document }) => document).toSorted((a, b) => a - b)).toEqual(
          cards.map(({ document }) => document),
        )
        const sorted = after.toSorted((a, b) => b.score - a.score || b.document - a.document)
        expect(sorted).toEqual(after)
      }),
    )
  })

  test('of one tier stays the very same list', () => {
    fc.assert(
      fc.property(givens, fc.constantFrom(...tiers), (given, tier) => {
        const { cards, after } = ranked(given.map((one) => ({ ...one, tier, failed: false })))
        expect(after).toBe(cards)
      }),
    )
  })

  test('never has a card of a lower tier before one that serves', () => {
    fc.assert(
      fc.property(givens, (given) => {
        const places = order(given)
        places.forEach((document, place) => {
          const { tier, serves, failed } = given[document]!
          if (failed && tier !== 'proven') return
          for (const before of places.slice(0, place)) {
            const other = given[before]!.tier
            const isLower = tiers.indexOf(other) > tiers.indexOf(tier)
            expect(isLower && serves >= neverBehind(tier, other)).toBe(false)
            if (before === places[0]) expect(isLower && serves >= leads(tier, other)).toBe(false)
          }
        })
      }),
    )
  })

  test('keeps the order of cards of one tier that are equally sure', () => {
    fc.assert(
      fc.property(givens, fc.double({ min: 0, max: 1, noNaN: true }), (given, serves) => {
        const same = given.map(({ tier }) => ({ tier, serves }))
        const places = order(same)
        for (const tier of tiers) {
          const own = places.filter((document) => same[document]!.tier === tier)
          expect(own).toEqual(own.toSorted((a, b) => a - b))
        }
      }),
    )
  })
})

describe('newcomers that several sources say', () => {
  const standings: { readonly [source: string]: Standing } = {
    old: 'stranger',
    other: 'stranger',
    mine: 'installed',
    new: 'newcomer',
    alsoNew: 'newcomer',
    bad: 'distrusted',
  }
  const standingIn: Standings = (source, card) =>
    card !== undefined && standings[source] === 'stranger' ? 'newcomer' : standings[source]!
  const standingsAfter = (sources: readonly string[], copiers: readonly string[] = []) =>
    standingsOfCards(
      sources.map(
        (source, place): ToolCard => ({
          kind: 'tool',
          id: `${source}/${place}`,
          source,
          name: 'tool',
          description: 'the same',
          parameters: [],
          examples: [],
          tags: [],
          provenance: { reader: 'tool-jsonl', location: source },
        }),
      ),
      standingIn,
      {
        idOf: (place) => `${sources[place]}/${place}`,
        leaders: sources.map(() => 0),
        isCopier: (place) => copiers.includes(sources[place]!),
      },
    )
  test.each([
    { said: ['old', 'other'], is: ['stranger', 'stranger'], why: 'two sources that are known' },
    { said: ['old', 'mine'], is: ['stranger', 'installed'], why: "one of the user's" },
    { said: ['old', 'old'], is: ['newcomer', 'newcomer'], why: 'one source twice' },
    { said: ['old', 'new'], is: ['newcomer', 'newcomer'], why: 'a source that is new itself' },
    { said: ['new', 'alsoNew', 'new'], is: ['newcomer', 'newcomer', 'newcomer'], why: 'as many new ones' },
    { said: ['old', 'bad'], is: ['newcomer', 'distrusted'], why: 'one that the user distrusts' },
    {
      said: ['old', 'other', 'new'],
      is: ['stranger', 'stranger', 'newcomer'],
      why: 'and a new one repeats it',
    },
  ])('$why: $is', ({ said, is }) => {
    expect(standingsAfter(said)).toEqual(is)
  })
  test('a copier agrees with nobody', () => {
    expect(standingsAfter(['old', 'other'], ['other'])).toEqual(['newcomer', 'newcomer'])
  })
})
