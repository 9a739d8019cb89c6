import type { Register } from '../card-texts.ts'
import type { Token } from './tokens.ts'
import type { Window } from './windows.ts'

/** Features are numbered below this; two that get one number count as one. */
export const featureCount = 2 ** 20
const shift = 32 - 20

/** Meanings so many tokens apart are seen together. */
const reach = 12
const gram = 4

/**
 * Numbers of the features of a window, each once: stems alone and two or three in a row, groups of letters, meanings beside stems, and pairs
 * of meanings by their distance.
 */
export function featuresOf(window: Window, register: Register): Uint32Array {
  generation += 1
  let count = 0
  const add = (hash: number): void => {
    const feature = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> shift
    if (met[feature] === generation) return
    met[feature] = generation
    found[count++] = feature
  }
  const tokens = window.map(hashedOf)
  if (register === 'prompt') add(hashOf('prompt'))
  const first = tokens[0]
  if (first !== undefined) {
    add(joined(first.stem, 1, 11))
    if (first.meaning !== 0) add(joined(first.meaning, 1, 12))
    for (const part of first.parts) add(joined(part, 1, 13))
  }
  let before = 0
  let former = 0
  for (let at = 0; at < tokens.length; at++) {
    const { stem, meaning, parts, grams } = tokens[at]!
    if (parts.length > 0 && meaning !== 0) {
      if (former !== 0) add(joined(joined(before, former, 14), meaning, 14))
      before = former
      former = meaning
    }
    const next = tokens[at + 1]
    const third = tokens[at + 2]
    add(stem)
    for (const part of parts) add(part)
    for (const part of grams) add(part)
    if (next !== undefined) {
      add(joined(stem, next.stem, 2))
      if (third !== undefined) add(joined(joined(stem, next.stem, 3), third.stem, 3))
      if (next.meaning !== 0) add(joined(stem, next.meaning, 6))
    }
    if (meaning === 0) continue
    add(meaning)
    if (next !== undefined) add(joined(meaning, next.stem, 5))
    for (let then = at + 1; then < tokens.length && then <= at + reach; then++) {
      const other = tokens[then]!.meaning
      if (other !== 0) add(joined(meaning, other, saltOf(then - at)))
    }
  }
  return found.slice(0, count)
}

const saltOf = (distance: number): number => (distance === 1 ? 7 : distance <= 3 ? 8 : distance <= 6 ? 9 : 10)

/** In which window each feature was last met, so that none is listed twice. */
const met = new Uint32Array(featureCount)
let generation = 0
/** Room for the features of a window, which are some thousands at most. */
const found = new Uint32Array(2 ** 16)

/** Hashes of a token; a meaning of 0 is none. */
type Hashed = {
  readonly stem: number
  readonly meaning: number
  readonly parts: readonly number[]
  readonly grams: readonly number[]
}

const remembered = new Map<string, Hashed>()
const mostRemembered = 50_000

function hashedOf({ stem, meaning, parts, key }: Token): Hashed {
  const known = remembered.get(key)
  if (known !== undefined) return known
  const made: Hashed = {
    stem: hashOf(`stem ${stem}`),
    meaning: meaning === null ? 0 : hashOf(`meaning ${meaning}`),
    parts: parts.map((part) => hashOf(`part ${part}`)),
    grams: gramsOf(stem).map((part) => hashOf(`gram ${part}`)),
  }
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, made)
  return made
}

const gramsOf = (stem: string): readonly string[] =>
  Array.from({ length: Math.max(0, stem.length - gram + 1) }, (_, at) => stem.slice(at, at + gram))

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** One hash of two in order. */
function joined(left: number, right: number, salt: number): number {
  let hash = Math.imul(left ^ (right >>> 15) ^ salt, 0x85ebca6b) ^ Math.imul(right, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f)
  return hash ^ (hash >>> 16)
}
