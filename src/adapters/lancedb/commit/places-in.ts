import type { Table } from '@lancedb/lancedb'
import type { Utf8, Vector } from 'apache-arrow'
import type { StringTable } from '../../../retrieval/index/string-table.ts'

/** The row of a card that is not there. */
const none = 0xffffffff

/** Which of some cards a table has. */
export async function cardsThere(
  rows: Table,
  cards: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const ids = cards.map(({ id }) => Buffer.from(id))
  const places = await placesIn(rows, { size: ids.length, bytesAt: (at) => ids[at]! })
  return new Set(cards.flatMap(({ id }, at) => (places[at] === none ? [] : [id])))
}

/** The row of each id, by their order. Ids are compared by their bytes: a million strings would be made and thrown away at each commit. */
export async function placesIn(
  rows: Table,
  ids: Pick<StringTable, 'size' | 'bytesAt'>,
): Promise<Uint32Array> {
  const { size } = ids
  const mask = 2 ** Math.ceil(Math.log2(2 * size + 2)) - 1
  const slots = new Uint32Array(mask + 1).fill(none)
  for (let at = 0; at < size; at++) {
    let slot = hash(ids.bytesAt(at)) & mask
    while (slots[slot] !== none) slot = (slot + 1) & mask
    slots[slot] = at
  }
  const places = new Uint32Array(size).fill(none)
  let row = 0
  for await (const batch of rows.query().select(['id']))
    for (const { values, valueOffsets, length } of (batch.getChild('id') as Vector<Utf8>).data)
      for (let at = 0; at < length; at++, row++) {
        const id = values.subarray(valueOffsets[at], valueOffsets[at + 1])
        let slot = hash(id) & mask
        while (slots[slot] !== none && !isSame(ids.bytesAt(slots[slot]!), id)) slot = (slot + 1) & mask
        if (slots[slot] !== none) places[slots[slot]!] = row
      }
  return places
}

function hash(bytes: Uint8Array): number {
  let value = 2166136261
  for (let at = 0; at < bytes.length; at++) value = Math.imul(value ^ bytes[at]!, 16777619)
  return (value ^ (value >>> 15)) >>> 0
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = a.length - 1; at >= 0; at--) if (a[at] !== b[at]) return false
  return true
}
