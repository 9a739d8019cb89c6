import { describe, expect, test } from 'vitest'
import type { CardIndex } from '../../../src/retrieval/index/card-index.ts'
import { packer } from '../../../src/retrieval/search/pack.ts'
import type { PackedCard } from '../../../src/retrieval/rank/ranked-card.ts'
import { type Listed, listed, rankedOf } from '../ranked-cards.ts'

const idsOf = (packed: readonly PackedCard[], index: CardIndex): string[] =>
  packed.map(({ document }) => index.ids.at(document))

function packedIds(cards: readonly Listed[], k: number): string[] {
  const { index, ranked } = rankedOf(cards)
  return idsOf(packer(ranked, index)(k), index)
}

const money = {
  name: 'convert_currency',
  description: 'Converts an amount of money from one currency to another at the rate of the day.',
}

describe('pack folds what is the same', () => {
  test('a card that two sources list is shown once, with the id of the other', () => {
    const { index, ranked } = rankedOf([
      listed('mirror/money', 0.8, money),
      listed('origin/money', 0.9, money),
      listed('origin/mail', 0.5),
    ])
    const packed = packer(ranked, index)(5)
    expect(idsOf(packed, index)).toEqual(['origin/money', 'origin/mail'])
    expect(packed.map(({ duplicates }) => duplicates.map((other) => index.ids.at(other)))).toEqual([
      ['mirror/money'],
      [],
    ])
  })

  test('the place of a folded card goes to the next one', () => {
    const cards = [listed('a/x', 0.9, money), listed('b/x', 0.8, money), listed('c/mail', 0.1)]
    expect(packedIds(cards, 2)).toEqual(['a/x', 'c/mail'])
  })

  test.each([
    { why: 'one source lists them as offers of its own', sources: ['a', 'a'], ids: ['a/one', 'a/two'] },
    { why: 'two sources list the same thing', sources: ['a', 'b'], ids: ['a/one'] },
  ])('variants that differ in a word of many give $ids: $why', ({ sources, ids }) => {
    const text = `${money.description.replace('.', ', rounded to two places.')} `.repeat(3)
    const variants = [
      listed(`${sources[0]}/one`, 0.9, { ...money, description: text }),
      listed(`${sources[1]}/two`, 0.8, { ...money, description: `${text} x` }),
    ]
    expect(packedIds(variants, 5)).toEqual(ids)
  })

  test('at most twenty ids of folded cards are told', () => {
    const copies = Array.from({ length: 30 }, (_, place) => listed(`s${place}/x`, 1 - place / 100, money))
    const { index, ranked } = rankedOf(copies)
    const [only, ...others] = packer(ranked, index)(5)
    expect(others).toEqual([])
    expect(only!.duplicates).toHaveLength(20)
  })
})

describe('pack caps publishers', () => {
  const flood = Array.from({ length: 6 }, (_, place) => listed(`big/${place}`, 0.9 - place / 100))

  test.each([
    {
      why: 'one that scores 0.7 of the capped card or more is comparable',
      others: [listed('small/a', 0.62), listed('tiny/b', 0.61)],
      ids: ['big/0', 'big/1', 'big/2', 'small/a', 'tiny/b'],
    },
    {
      why: 'one that scores less is not',
      others: [listed('small/a', 0.5)],
      ids: ['big/0', 'big/1', 'big/2', 'big/3', 'big/4'],
    },
    {
      why: 'places that nobody else deserves stay with the publisher',
      others: [listed('small/a', 0.7)],
      ids: ['big/0', 'big/1', 'big/2', 'big/3', 'small/a'],
    },
    {
      why: 'sources of one publisher count together',
      others: [listed('small/a', 0.7, { publisher: 'big' }), listed('other/b', 0.65)],
      ids: ['big/0', 'big/1', 'big/2', 'big/3', 'other/b'],
    },
  ])('three of five places are the most while others are comparable: $why', ({ others, ids }) => {
    expect(packedIds([...flood, ...others], 5)).toEqual(ids)
  })

  test('a part of a place counts as a place: four of six', () => {
    const others = [listed('small/a', 0.7), listed('tiny/b', 0.69), listed('wee/c', 0.68)]
    expect(packedIds([...flood, ...others], 6)).toEqual([
      'big/0',
      'big/1',
      'big/2',
      'big/3',
      'small/a',
      'tiny/b',
    ])
  })

  test('up to three places there is no cap', () => {
    expect(packedIds([...flood, listed('small/a', 0.8)], 3)).toEqual(['big/0', 'big/1', 'big/2'])
  })
})

describe('pack covers every step', () => {
  const first = Array.from({ length: 5 }, (_, place) =>
    listed(`s${place}/a`, 0.9 - place / 100, { facets: [1 - place / 10, 0] }),
  )

  test.each([
    {
      why: 'the lowest card that no step needs gives its place',
      others: [listed('z/mail', 0.2, { facets: [0, 1] }), listed('y/mail', 0.3, { facets: [0, 0.6] })],
      ids: ['s0/a', 's1/a', 'z/mail'],
    },
    {
      why: 'of two that serve the step alike the better card comes',
      others: [listed('y/mail', 0.3, { facets: [0, 1] }), listed('z/mail', 0.2, { facets: [0, 1] })],
      ids: ['s0/a', 's1/a', 'y/mail'],
    },
    {
      why: 'a card that hardly serves the step is no gain',
      others: [listed('z/mail', 0.2, { facets: [0, 0.4] })],
      ids: ['s0/a', 's1/a', 's2/a'],
    },
    {
      why: 'a step that a chosen card serves already is covered',
      others: [listed('y/both', 0.88, { facets: [0.2, 0.5] }), listed('z/mail', 0.2, { facets: [0, 1] })],
      ids: ['s0/a', 's1/a', 'y/both'],
    },
  ])('$why', ({ others, ids }) => {
    expect(packedIds([...first, ...others], 3)).toEqual(ids)
  })

  test('a card that alone serves a step stays, however low it stands', () => {
    const cards = [
      listed('a/read', 0.9, { facets: [1, 0, 0] }),
      listed('b/read', 0.8, { facets: [1, 0, 0] }),
      listed('c/count', 0.7, { facets: [0, 1, 0] }),
      listed('d/mail', 0.2, { facets: [0, 0, 1] }),
    ]
    expect(packedIds(cards, 3)).toEqual(['a/read', 'c/count', 'd/mail'])
  })

  test('the first card keeps its place even when only one is wanted', () => {
    expect(packedIds([...first, listed('z/mail', 0.2, { facets: [0, 1] })], 1)).toEqual(['s0/a'])
  })
})
