/** Anything a section can hold. Numbers are little-endian, as on every platform Node runs on. */
export type Section = Int8Array | Uint8Array | Uint16Array | Uint32Array | Float32Array

const kinds = {
  i8: Int8Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
} as const
type SectionKind = keyof typeof kinds

const kindOf = (section: Section): SectionKind =>
  section instanceof Uint16Array
    ? 'u16'
    : section instanceof Uint32Array
      ? 'u32'
      : section instanceof Float32Array
        ? 'f32'
        : section instanceof Int8Array
          ? 'i8'
          : 'u8'

type Entry = {
  readonly name: string
  readonly kind: SectionKind
  readonly offset: number
  readonly length: number
}

const alignment = 8
const aligned = (offset: number): number => Math.ceil(offset / alignment) * alignment

/**
 * Packs named typed arrays into one buffer that {@link unpackSections} opens without copying: 4 bytes header length, a
 * JSON header, then each section at a multiple of 8 bytes.
 *
 * @param meta - small values kept in the header
 */
export function packSections(
  meta: { readonly [key: string]: unknown },
  sections: { readonly [name: string]: Section },
): Uint8Array {
  let offset = 0
  const entries: Entry[] = Object.entries(sections).map(([name, section]) => {
    const entry = { name, kind: kindOf(section), offset, length: section.length }
    offset = aligned(offset + section.byteLength)
    return entry
  })
  const header = new TextEncoder().encode(JSON.stringify({ meta, entries }))
  const base = aligned(4 + header.length)
  const bytes = new Uint8Array(base + offset)
  new DataView(bytes.buffer).setUint32(0, header.length, true)
  bytes.set(header, 4)
  for (const { name, offset: start } of entries) {
    const { buffer, byteOffset, byteLength } = sections[name]!
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), base + start)
  }
  return bytes
}

/** What {@link packSections} packed. */
export type Sections = {
  readonly meta: { readonly [key: string]: unknown }
  /** @throws Error when the buffer holds no such section of this kind */
  i8(name: string): Int8Array
  u8(name: string): Uint8Array
  u16(name: string): Uint16Array
  u32(name: string): Uint32Array
  f32(name: string): Float32Array
}

/** The small values of a packed buffer alone, wherever it lies. */
export const packedMeta = (packed: Uint8Array): Sections['meta'] => headerOf(packed).header.meta

type Header = { readonly meta: Sections['meta']; readonly entries: readonly Entry[] }

function headerOf(bytes: Uint8Array): { readonly header: Header; readonly headerLength: number } {
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const header = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset + 4, headerLength).toString('utf8'),
  ) as Header
  return { header, headerLength }
}

/** Opens a packed buffer. Sections are views of it; a buffer that is not aligned to 8 bytes is copied once. */
export function unpackSections(packed: Uint8Array): Sections {
  const bytes = packed.byteOffset % alignment === 0 ? packed : new Uint8Array(packed)
  const { header, headerLength } = headerOf(bytes)
  const base = bytes.byteOffset + aligned(4 + headerLength)
  const entries = new Map(header.entries.map((entry) => [entry.name, entry]))
  const view = (name: string, kind: SectionKind): Section => {
    const entry = entries.get(name)
    if (entry?.kind !== kind) throw new Error(`The search index has no section "${name}" of kind ${kind}.`)
    return new kinds[kind](bytes.buffer as ArrayBuffer, base + entry.offset, entry.length)
  }
  return {
    meta: header.meta,
    i8: (name) => view(name, 'i8') as Int8Array,
    u8: (name) => view(name, 'u8') as Uint8Array,
    u16: (name) => view(name, 'u16') as Uint16Array,
    u32: (name) => view(name, 'u32') as Uint32Array,
    f32: (name) => view(name, 'f32') as Float32Array,
  }
}
