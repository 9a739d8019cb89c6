import { grouped } from '../../domain/grouped.ts'
import { seedOf } from '../../domain/random.ts'

/** Distinct terms below which only the same words make two cards copies. */
export const leastTerms = 8
/** Jaccard similarity of the terms from which two cards are copies, small edits allowed. */
export const copySimilarity = 0.6
const bands = 10
const rows = 3
/** Leaders of one bucket that a card is compared with. */
const mostCompared = 24

/** Sorted distinct hashes of a card's terms. */
export const termSet = (terms: readonly string[]): Uint32Array =>
  Uint32Array.from(new Set(terms.map(hash))).sort()

function hash(term: string): number {
  let value = seedOf(term)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Shared share of two sorted sets, 0..1. */
export function jaccard(a: Uint32Array, b: Uint32Array): number {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common++
      i++
      j++
    } else if (a[i]! < b[j]!) i++
    else j++
  }
  const all = a.length + b.length - common
  return all === 0 ? 0 : common / all
}

/**
 * Groups cards that are copies of one another but for small edits. Each joins the first leader it is like, so that likeness
 * does not creep from card to card.
 *
 * @param sets - per card, of {@link termSet}
 * @returns per card the place of its leader; its own for a card like no earlier one
 * @see Li, Owen & Zhang, "One permutation hashing", NIPS 2012; Leskovec et al., Mining of Massive Datasets, 3.4 (bands)
 */
export function lookAlikes(sets: readonly Uint32Array[]): Uint32Array {
  const buckets = new Map<number, number[]>()
  const leaders = new Uint32Array(sets.length)
  const least = new Uint32Array(bands * rows)
  const leaderAmong = (keys: readonly number[], set: Uint32Array): number | undefined => {
    const similarity = set.length < leastTerms ? 1 : copySimilarity
    const tried = new Set<number>()
    for (const key of keys) {
      for (const leader of buckets.get(key) ?? []) {
        if (tried.has(leader)) continue
        tried.add(leader)
        if (jaccard(sets[leader]!, set) >= similarity) return leader
      }
    }
    return undefined
  }
  sets.forEach((set, place) => {
    leaders[place] = place
    const keys = bandKeys(set, least)
    const leader = leaderAmong(keys, set)
    if (leader !== undefined) {
      leaders[place] = leader
      return
    }
    for (const key of keys) {
      const bucket = buckets.get(key)
      if (bucket === undefined) buckets.set(key, [place])
      else if (bucket.length < mostCompared) bucket.push(place)
    }
  })
  return leaders
}

/** The groups of look-alikes that have some card in them. @param leaders - per card, of {@link lookAlikes} */
export function groupsWith(
  leaders: ArrayLike<number>,
  isWanted: (place: number) => boolean,
): Iterable<readonly number[]> {
  const wanted = new Uint8Array(leaders.length)
  for (let place = 0; place < leaders.length; place++) if (isWanted(place)) wanted[leaders[place]!] = 1
  const places: number[] = []
  for (let place = 0; place < leaders.length; place++) if (wanted[leaders[place]!] === 1) places.push(place)
  return grouped(places, (place) => leaders[place]!).values()
}

const empty = 0xffffffff

/** A key per band: the hashes of the set fall into bins, the least of each counts, and an empty bin borrows its neighbour's. */
function bandKeys(set: Uint32Array, least: Uint32Array): number[] {
  least.fill(empty)
  for (const hashed of set) {
    const bin = hashed % least.length
    const value = Math.imul(hashed, 0x85ebca6b) >>> 0
    if (value < least[bin]!) least[bin] = value
  }
  for (let at = least.length - 1; at >= 0; at--)
    if (least[at] === empty) least[at] = least[(at + 1) % least.length]!
  return Array.from({ length: bands }, (_, band) => {
    let key = band + 1
    for (let row = 0; row < rows; row++) key = Math.imul(key ^ least[band * rows + row]!, 16777619) >>> 0
    // Buckets of different bands never meet.
    return key * bands + band
  })
}
