import { firstPlace } from '../../../domain/grouped.ts'
import { seedOf } from '../../../domain/random.ts'

/** The name of a card of some source, against which others are held. */
export type Neighbour = { readonly id: string; readonly name: string; readonly source: string }

/** Names of many cards. */
export type CardNames = {
  readonly size: number
  at(place: number): Neighbour
  nameAt(place: number): string
}

/** Names of the cards of one source, and the parts of their ids after the slash. */
export type SourceNames = {
  readonly source: string
  readonly keys: readonly string[]
  readonly names: readonly string[]
}

export const namesOfSource = (
  source: string,
  cards: readonly { readonly id: string; readonly name: string }[],
): SourceNames => {
  const keys = cards.map(({ id }) => id.slice(source.length + 1))
  // A name that is its key is kept once.
  return { source, keys, names: cards.map(({ name }, at) => (name === keys[at] ? keys[at] : name)) }
}

export const namesOfCards = (cards: readonly Neighbour[]): CardNames => ({
  size: cards.length,
  at: (place) => cards[place]!,
  nameAt: (place) => cards[place]!.name,
})

/** Of many sources, without an object for each card: there may be a million. */
export function namesOfSources(sources: readonly SourceNames[]): CardNames {
  let size = 0
  const starts = sources.map(({ keys }) => {
    size += keys.length
    return size - keys.length
  })
  const listAt = (place: number): number => firstPlace(1, starts.length, (list) => starts[list]! > place) - 1
  const nameAt = (place: number): string => {
    const list = listAt(place)
    return sources[list]!.names[place - starts[list]!]!
  }
  return {
    size,
    nameAt,
    at(place) {
      const list = listAt(place)
      const { source, keys } = sources[list]!
      return { id: `${source}/${keys[place - starts[list]!]}`, source, name: nameAt(place) }
    },
  }
}

/** More cards of one key than this are not looked at. */
const mostOfKey = 8

/**
 * Places by a key, the first eight of each: 16 bytes a place, where a map of strings takes 150. Keys whose hashes are equal are made again and
 * compared.
 */
export function placesByKey(size: number, keyOf: (place: number) => string) {
  // Places are counted from 1, so that 0 is none.
  const heads = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, 2 * size))))
  const next = new Uint32Array(size)
  const hashes = new Uint32Array(size)
  const slotOf = (key: string, hash: number): number => {
    for (let slot = hash & (heads.length - 1); ; slot = (slot + 1) & (heads.length - 1)) {
      const head = heads[slot]!
      if (head === 0 || (hashes[head - 1] === hash && keyOf(head - 1) === key)) return slot
    }
  }
  return {
    add(place: number, key: string): void {
      const hash = hashOf(key)
      const slot = slotOf(key, hash)
      hashes[place] = hash
      if (heads[slot] === 0) heads[slot] = place + 1
      else {
        let last = heads[slot]! - 1
        let count = 1
        while (next[last] !== 0) {
          last = next[last]! - 1
          count += 1
        }
        if (count < mostOfKey) next[last] = place + 1
      }
    },
    find(key: string): readonly number[] {
      const head = heads[slotOf(key, hashOf(key))]!
      if (head === 0) return none
      const places: number[] = []
      for (let place = head; place !== 0; place = next[place - 1]!) places.push(place - 1)
      return places
    },
  }
}

const none: readonly number[] = []

function hashOf(text: string): number {
  const hash = seedOf(text)
  return (hash ^ (hash >>> 15)) >>> 0
}
