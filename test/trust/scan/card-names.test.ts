import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  namesOfCards,
  namesOfSource,
  namesOfSources,
  placesByKey,
} from '../../../src/trust/scan/rules/card-names.ts'

test('names of sources are those of their cards, in order', () => {
  const card = fc.record({ key: fc.string(), name: fc.string() })
  const lists = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), fc.array(card)), {
    selector: ([source]) => source,
  })
  fc.assert(
    fc.property(lists, (sources) => {
      const cards = sources.flatMap(([source, list]) =>
        list.map(({ key, name }) => ({ id: `${source}/${key}`, source, name })),
      )
      const ofSources = namesOfSources(
        sources.map(([source]) =>
          namesOfSource(
            source,
            cards.filter((one) => one.source === source),
          ),
        ),
      )
      const ofCards = namesOfCards(cards)
      expect(ofSources.size).toBe(cards.length)
      for (const [place, one] of cards.entries()) {
        expect(ofSources.at(place)).toEqual(one)
        expect(ofSources.nameAt(place)).toBe(ofCards.nameAt(place))
      }
    }),
  )
})

test('places are found by their key, the first eight of each', () => {
  // Few letters, so that keys come again; many, so that hashes meet in one slot.
  const keys = fc.array(fc.oneof(fc.stringMatching(/^[ab]{0,2}$/), fc.string()), { maxLength: 80 })
  fc.assert(
    fc.property(keys, fc.string(), (list, other) => {
      const table = placesByKey(list.length, (place) => list[place]!)
      for (const [place, key] of list.entries()) table.add(place, key)
      for (const key of [...list, other]) {
        const places = list.flatMap((one, place) => (one === key ? [place] : []))
        expect(table.find(key)).toEqual(places.slice(0, 8))
      }
    }),
  )
})
