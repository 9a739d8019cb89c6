import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packSections, type Section, unpackSections } from '../../../src/retrieval/text/sections.ts'

const section: fc.Arbitrary<Section> = fc.oneof(
  fc.int8Array({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
  fc.uint16Array({ maxLength: 40 }),
  fc.uint32Array({ maxLength: 40 }),
  fc.float32Array({ maxLength: 40 }),
)
const named = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), section, {
  maxKeys: 8,
  noNullPrototype: true,
})

const read = (packed: Uint8Array, name: string, like: Section): Section => {
  const opened = unpackSections(packed)
  if (like instanceof Int8Array) return opened.i8(name)
  if (like instanceof Uint16Array) return opened.u16(name)
  if (like instanceof Uint32Array) return opened.u32(name)
  if (like instanceof Float32Array) return opened.f32(name)
  return opened.u8(name)
}

describe('sections', () => {
  test('every section and the small values come back as they were packed', () => {
    fc.assert(
      fc.property(named, fc.dictionary(fc.string(), fc.jsonValue()), (sections, meta) => {
        const packed = packSections(meta, sections)
        expect(unpackSections(packed).meta).toEqual(JSON.parse(JSON.stringify(meta)))
        for (const [name, content] of Object.entries(sections)) {
          expect(read(packed, name, content)).toEqual(content)
        }
      }),
    )
  })

  test('a buffer opens at any offset of a larger one, whether a Buffer or plain bytes', () => {
    fc.assert(
      fc.property(named, fc.nat(16), fc.boolean(), (sections, offset, isBuffer) => {
        const packed = packSections({ version: 1 }, sections)
        const larger = isBuffer ? Buffer.alloc(packed.length + 20) : new Uint8Array(packed.length + 20)
        larger.set(packed, offset)
        const view = larger.subarray(offset, offset + packed.length)
        for (const [name, content] of Object.entries(sections)) {
          expect(read(view, name, content)).toEqual(content)
        }
      }),
    )
  })

  test('sections of an aligned buffer are views, not copies', () => {
    const packed = packSections({}, { numbers: Uint32Array.of(1, 2, 3) })
    expect(unpackSections(packed).u32('numbers').buffer).toBe(packed.buffer)
  })

  test('a part of a larger array is packed alone', () => {
    const part = Uint32Array.of(1, 2, 3, 4).subarray(1, 3)
    expect([...unpackSections(packSections({}, { part })).u32('part')]).toEqual([2, 3])
  })

  test.each([
    { why: 'nothing has that name', name: 'missing' },
    { why: 'the section holds numbers of another kind', name: 'numbers' },
  ])('asking is an error that names the section when $why', ({ name }) => {
    const opened = unpackSections(packSections({}, { numbers: Uint32Array.of(1) }))
    expect(() => opened.u8(name)).toThrow(`no section "${name}" of kind u8`)
  })
})
