/** Finds strings of a fixed list within a longer text, without cutting the text up. */
export type TokenTable = {
  /** Index of the string that stands at `from` to `to` (UTF-16 units) of `text`, or -1. */
  indexOf(text: string, from: number, to: number): number
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let place = from; place < to; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/**
 * A table of the strings that stand end to end in `joined`, string `i` from `offsets[i]` to `offsets[i + 1]`. Open
 * addressing over 32-bit slots, at most half full: 48,000 strings take half a megabyte and about two milliseconds.
 *
 * @param isListed - leaves strings out of the table
 * @throws Error when two listed strings are the same
 */
export function tokenTable(
  joined: string,
  offsets: Uint32Array,
  isListed: (index: number) => boolean,
): TokenTable {
  const count = offsets.length - 1
  let capacity = 16
  while (capacity < 2 * count) capacity *= 2
  const mask = capacity - 1
  /** Index plus one; zero is an empty slot. */
  const slots = new Uint32Array(capacity)

  const stands = (index: number, text: string, from: number, to: number): boolean => {
    const start = offsets[index]!
    if (offsets[index + 1]! - start !== to - from) return false
    for (let place = from; place < to; place += 1)
      if (joined.charCodeAt(start + place - from) !== text.charCodeAt(place)) return false
    return true
  }
  /** The slot of a string: the one that holds it, or the empty one where it belongs. */
  const slotOf = (text: string, from: number, to: number): number => {
    let slot = hashOf(text, from, to) & mask
    for (;;) {
      const held = slots[slot]!
      if (held === 0 || stands(held - 1, text, from, to)) return slot
      slot = (slot + 1) & mask
    }
  }

  for (let index = 0; index < count; index += 1) {
    if (!isListed(index)) continue
    const slot = slotOf(joined, offsets[index]!, offsets[index + 1]!)
    if (slots[slot] !== 0) {
      const token = joined.slice(offsets[index], offsets[index + 1])
      throw new Error(`Token ${index} (${JSON.stringify(token)}) stands in the list twice.`)
    }
    slots[slot] = index + 1
  }
  return { indexOf: (text, from, to) => slots[slotOf(text, from, to)]! - 1 }
}
