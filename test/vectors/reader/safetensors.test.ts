import { describe, expect, test } from 'vitest'
import { openSafetensors } from '../../../src/vectors/reader/safetensors.ts'

/** A file with this header, in front of so many bytes of data. */
function fileOf(header: unknown, data = 16): Uint8Array {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, Buffer.alloc(data)])
}

const rows = { dtype: 'I8', shape: [2, 4], data_offsets: [0, 8] }
const scale = { dtype: 'F32', shape: [2], data_offsets: [8, 16] }
const whole = { __metadata__: { format: 'pt' }, rows, scale }

describe('a safetensors file', () => {
  test('tells where its tables lie', () => {
    const file = fileOf(whole)
    const { place, has } = openSafetensors(file, 'w')
    expect(place('rows', { dtype: 'I8', shape: [2, 4] })).toBe(file.length - 16)
    expect(place('scale', { dtype: 'F32', shape: [2] })).toBe(file.length - 8)
    expect([has('rows'), has('bias'), has('__metadata__')]).toEqual([true, false, false])
  })

  test('may hold tables of other formats, which nobody reads', () => {
    const ids = { dtype: 'I64', shape: [1], data_offsets: [0, 8] }
    expect(
      openSafetensors(fileOf({ ...whole, ids }), 'w').place('rows', { dtype: 'I8', shape: [2, 4] }),
    ).toBeGreaterThan(0)
  })

  test.each([
    {
      why: 'another format',
      form: { dtype: 'F32', shape: [2, 4] },
      says: 'w, rows: is I8 [2, 4], and the model needs F32 [2, 4].',
    },
    {
      why: 'another shape',
      form: { dtype: 'I8', shape: [4, 2] },
      says: 'w, rows: is I8 [2, 4], and the model needs I8 [4, 2].',
    },
  ] as const)('refuses a table of $why than is asked', ({ form, says }) => {
    expect(() => openSafetensors(fileOf(whole), 'w').place('rows', form)).toThrow(says)
  })

  test('says which table is missing', () => {
    expect(() => openSafetensors(fileOf(whole), 'w').place('bias', { dtype: 'F32', shape: [2] })).toThrow(
      'w: there is no tensor "bias".',
    )
  })

  test.each([
    { why: 'it is empty', file: new Uint8Array(0), says: 'is cut off' },
    { why: 'its header ends beyond it', file: fileOf(whole).subarray(0, 30), says: 'is cut off' },
    { why: 'its header is absurdly long', file: Buffer.alloc(64, 0xff), says: 'is cut off' },
    { why: 'its header is not JSON', file: fileOf('{'), says: 'its header is not JSON' },
    {
      why: 'its header is not text',
      file: fileOf('"\ud800').fill(0xc3, 9, 10),
      says: 'its header is not JSON',
    },
    { why: 'its header is a list', file: fileOf([]), says: 'its header is no object' },
    { why: 'a table is no object', file: fileOf({ rows: null }), says: 'w, rows: its header does not say' },
    {
      why: 'a shape is no list of sizes',
      file: fileOf({ rows: { ...rows, shape: [2, -4] } }),
      says: 'does not say',
    },
    {
      why: 'a place has one end',
      file: fileOf({ rows: { ...rows, data_offsets: [0] } }),
      says: 'does not say',
    },
    {
      why: 'a table ends before it begins',
      file: fileOf({ rows: { ...rows, data_offsets: [8, 0] } }),
      says: 'lies outside',
    },
    { why: 'data are cut off', file: fileOf(whole, 15), says: 'w, scale: is cut off' },
    {
      why: 'a shape is not of its bytes',
      file: fileOf({ rows: { ...rows, shape: [3, 4] } }),
      says: 'w, rows: has 8 bytes, and I8 [3, 4] takes 12.',
    },
  ])('is refused when $why', ({ file, says }) => {
    expect(() => openSafetensors(file, 'w')).toThrow(says)
  })
})
