import type { Table } from '@lancedb/lancedb'
import type { Utf8, Vector } from 'apache-arrow'
import type { Documents } from '../../../retrieval/index/documents.ts'

const none = 0xffffffff

/** The row of each document. Ids are compared by their bytes: a million strings would be made and thrown away at each commit. */
export async function placesIn(rows: Table, { size, ids }: Documents): Promise<Uint32Array> {
  const mask = 2 ** Math.ceil(Math.log2(2 * size + 2)) - 1
  const slots = new Uint32Array(mask + 1).fill(none)
  for (let document = 0; document < size; document++) {
    let slot = hash(ids.bytesAt(document)) & mask
    while (slots[slot] !== none) slot = (slot + 1) & mask
    slots[slot] = document
  }
  const places = new Uint32Array(size)
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
