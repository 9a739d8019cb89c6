import type { Card } from '../../domain/card.ts'
import { seedOf } from '../../domain/random.ts'
import { analyze } from '../text/analyze.ts'
import { textsOf } from '../text/card-texts.ts'

/** 32 bits of a term; `seed` gives independent hashes. */
function hash(term: string, seed: number): number {
  let value = seedOf(term, seed)
  // A final mix: FNV's low bits alone are poor for short terms.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39)
  return (value ^ (value >>> 15)) >>> 0
}

/** What two cards are compared by: a hash of the name, and 64 bits of a simhash of all that describes them. */
export type Signature = { readonly name: number; readonly low: number; readonly high: number }

/**
 * Signature of a card. Two cards are near-identical when the names have the same terms and the simhashes differ in few
 * bits: the same thing listed twice, not two offers that describe themselves alike.
 *
 * @see Charikar, STOC 2002
 */
export function signatureOf(card: Card): Signature {
  const { description, parameters, body } = textsOf(card)
  const terms = analyze(`${description}\n${parameters}\n${body}`)
  const votes = new Int32Array(64)
  const vote = (feature: string): void => {
    const low = hash(feature, 1)
    const high = hash(feature, 2)
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = votes[bit]! + ((low >>> bit) & 1 ? 1 : -1)
      votes[bit + 32] = votes[bit + 32]! + ((high >>> bit) & 1 ? 1 : -1)
    }
  }
  for (const term of terms) vote(term)
  for (let index = 1; index < terms.length; index++) vote(`${terms[index - 1]} ${terms[index]}`)
  const bits = (from: number): number => {
    let value = 0
    for (let bit = 0; bit < 32; bit++) if (votes[from + bit]! > 0) value |= 1 << bit
    return value >>> 0
  }
  return { name: hash(analyze(card.name).join(' ') || card.name, 3), low: bits(0), high: bits(32) }
}

const bitCount = (value: number): number => {
  let rest = value - ((value >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Simhash bits, of 64, in which the same card may differ when two catalogs list it. */
const toleratedBits = 3

/**
 * Whether two cards are the same thing listed twice.
 *
 * @param sameSource - one source rarely lists a thing twice, but often variants of one name: those must be equal
 */
export const isNearDuplicate = (a: Signature, b: Signature, sameSource: boolean): boolean =>
  a.name === b.name && bitCount(a.low ^ b.low) + bitCount(a.high ^ b.high) <= (sameSource ? 0 : toleratedBits)
