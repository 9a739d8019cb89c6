/** Strings of a fixed list, found within a longer text without cutting the text up. */
export type TokenTable = {
  /** All strings end to end; string `i` stands from `offsets[i]` to `offsets[i + 1]`, in UTF-16 units. */
  readonly joined: string
  readonly offsets: Uint32Array
  /** Open addressing by {@link hashOf}: index plus one, 0 where a slot is empty. A power of two of them. */
  readonly slots: TokenSlots
  readonly size: number
  at(index: number): string
  /** Index of the string that stands from `from` to `to` (UTF-16 units) in `text`, or -1. */
  indexOf(text: string, from: number, to: number): number
  /** The slot of that string; the empty one for it when it is not there. */
  slotOf(text: string, from: number, to: number): number
}

type TokenSlots = Uint16Array | Uint32Array

/** Slots for so many strings: at most three quarters full, two bytes wide where that is enough. */
export function emptySlots(size: number): TokenSlots {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, (size * 4) / 3)))
  return size < 0xffff ? new Uint16Array(capacity) : new Uint32Array(capacity)
}

/** FNV-1a over UTF-16 units, high bits folded in. Slots are kept in files: another hash is another layout. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let place = from; place < to; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A table over slots that {@link tokenTable} filled for the same strings, at least one of them empty. */
export function tokenTableIn(joined: string, offsets: Uint32Array, slots: TokenSlots): TokenTable {
  const mask = slots.length - 1

  const stands = (index: number, text: string, from: number, to: number): boolean => {
    const start = offsets[index]!
    if (offsets[index + 1]! - start !== to - from) return false
    for (let place = from; place < to; place += 1)
      if (joined.charCodeAt(start + place - from) !== text.charCodeAt(place)) return false
    return true
  }
  const slotOf = (text: string, from: number, to: number): number => {
    let slot = hashOf(text, from, to) & mask
    while (slots[slot] !== 0 && !stands(slots[slot]! - 1, text, from, to)) slot = (slot + 1) & mask
    return slot
  }
  return {
    joined,
    offsets,
    slots,
    size: offsets.length - 1,
    at: (index) => joined.slice(offsets[index], offsets[index + 1]),
    indexOf: (text, from, to) => slots[slotOf(text, from, to)]! - 1,
    slotOf,
  }
}

/** @throws Error when a string is empty or stands in the list twice */
export function tokenTable(tokens: readonly string[]): TokenTable {
  const joined = tokens.join('')
  const offsets = new Uint32Array(tokens.length + 1)
  const slots = emptySlots(tokens.length)
  const table = tokenTableIn(joined, offsets, slots)
  tokens.forEach((token, index) => {
    if (token === '') throw new Error(`Token ${index} is empty.`)
    const slot = table.slotOf(token, 0, token.length)
    if (slots[slot] !== 0)
      throw new Error(`Token ${index} (${JSON.stringify(token)}) stands in the list twice.`)
    offsets[index + 1] = offsets[index]! + token.length
    slots[slot] = index + 1
  })
  return table
}
