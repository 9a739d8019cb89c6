import { firstPlace } from '../../domain/grouped.ts'

/** Strings in ascending order of their UTF-16 code units, stored as UTF-8 with offsets; decoded one by one when asked. */
export type StringTable = {
  readonly size: number
  at(index: number): string
  /** As `hashOfBytes` of its UTF-8. */
  hashAt(index: number): number
  /** Whether its UTF-8 is that. */
  isAt(index: number, utf8: Bytes): boolean
  /** Index of a string, or -1; lone surrogates count as U+FFFD, which is how UTF-8 keeps them. */
  indexOf(text: string): number
  /** Index of the first string that is not before `text`. */
  lowerBound(text: string): number
}

/** Some of the bytes of an array, which is not cut for it. */
export type Bytes = { readonly bytes: Uint8Array; readonly from: number; readonly to: number }

/** FNV-1a, 32 bits. */
export function hashOfBytes({ bytes, from, to }: Bytes): number {
  let value = 2166136261
  for (let at = from; at < to; at++) value = Math.imul(value ^ bytes[at]!, 16777619)
  return (value ^ (value >>> 15)) >>> 0
}

/** @param sorted - well-formed, ascending by code units, without repeats */
export function packStrings(sorted: readonly string[]): {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
} {
  const offsets = new Uint32Array(sorted.length + 1)
  const encoded = sorted.map((text) => Buffer.from(text, 'utf8'))
  encoded.forEach((text, index) => {
    offsets[index + 1] = offsets[index]! + text.length
  })
  return { bytes: new Uint8Array(Buffer.concat(encoded)), offsets }
}

/** The strings of a table, in order. */
export function* stringsIn(table: StringTable): Generator<string> {
  for (let index = 0; index < table.size; index++) yield table.at(index)
}

/** A table of some strings. @param sorted - as {@link packStrings} wants them */
export function tableOf(sorted: readonly string[]): StringTable {
  const { bytes, offsets } = packStrings(sorted)
  return stringTable(bytes, offsets)
}

/** Opens what {@link packStrings} made. */
export function stringTable(bytes: Uint8Array, offsets: Uint32Array): StringTable {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = offsets.length - 1
  const at = (index: number): string => buffer.toString('utf8', offsets[index], offsets[index + 1])
  /** Whether the string at an index is not before `text`. Bytes of ASCII compare as code units do, and need no decoding. */
  const reaches = (text: string): ((index: number) => boolean) => {
    if (!/^[\x00-\x7f]*$/.test(text)) return (index) => at(index) >= text
    const wanted = Buffer.from(text, 'latin1')
    return (index) => buffer.compare(wanted, 0, wanted.length, offsets[index], offsets[index + 1]) >= 0
  }
  const lowerBound = (text: string): number => firstPlace(0, size, reaches(text))
  const indexOf = (text: string): number => {
    const wanted = text.toWellFormed()
    const index = lowerBound(wanted)
    return index < size && at(index) === wanted ? index : -1
  }
  const hashAt = (index: number): number =>
    hashOfBytes({ bytes, from: offsets[index]!, to: offsets[index + 1]! })
  const isAt = (index: number, { bytes: others, from, to }: Bytes): boolean => {
    const start = offsets[index]!
    if (offsets[index + 1]! - start !== to - from) return false
    for (let each = to - 1; each >= from; each--)
      if (bytes[start + each - from] !== others[each]) return false
    return true
  }
  return { size, at, hashAt, isAt, lowerBound, indexOf }
}
