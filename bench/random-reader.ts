import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../src/evaluation/statistics/seeded-random.ts'
import { type EncoderShape, tablesOf } from '../src/vectors/reader/encoder-tables.ts'
import type { TensorForm } from '../src/vectors/reader/safetensors.ts'

/** Tables of a transformer by their names, as they lie in a file of weights. */
export type Tables = ReadonlyMap<string, Int8Array | Float32Array>

/** A transformer that was never trained. Its numbers are about as large as those of a trained one. */
export function randomTables(shape: EncoderShape, seed: number): Tables {
  const random = seededRandom(seed)
  const tables = new Map<string, Int8Array | Float32Array>()
  for (const [name, form] of tablesOf(shape)) tables.set(name, tableOf(name, form, random))
  return tables
}

function tableOf(name: string, { dtype, shape }: TensorForm, random: SeededRandom): Int8Array | Float32Array {
  const length = shape.reduce((product, size) => product * size, 1)
  const between = (from: number, to: number): number => from + (random.uint32() / 2 ** 32) * (to - from)
  if (dtype === 'I8') return Int8Array.from({ length }, () => Math.round(between(-127, 127)))
  const [from, to] = name.endsWith('.scale')
    ? [0.0002, 0.001]
    : name.endsWith('norm.weight')
      ? [0.7, 1.3]
      : [-0.1, 0.1]
  return Float32Array.from({ length }, () => between(from, to))
}

/** The bytes of a safetensors file. */
export function safetensorsOf(
  tables: ReadonlyMap<string, Int8Array | Uint8Array | Float32Array>,
  forms: ReadonlyMap<string, TensorForm>,
): Uint8Array {
  const header: { [name: string]: unknown } = { __metadata__: { format: 'pt' } }
  let end = 0
  for (const [name, { byteLength }] of tables) {
    const { dtype, shape } = forms.get(name)!
    header[name] = { dtype, shape, data_offsets: [end, end + byteLength] }
    end += byteLength
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  const parts = [...tables.values()].map((table) =>
    Buffer.from(table.buffer, table.byteOffset, table.byteLength),
  )
  return Buffer.concat([length, text, ...parts])
}

/** What is written of a reader besides its weights. */
export type RandomReader = {
  /** Without `tokens`: as many as there are pieces. */
  readonly shape: Omit<EncoderShape, 'tokens'>
  readonly pieces: readonly string[]
  readonly limits: { readonly queryLimit: number; readonly cardLimit: number }
  readonly seed: number
}

/** Writes a reader that was never trained into a folder, as one that was. */
export function writeRandomReader(folder: string, { shape, pieces, limits, seed }: RandomReader): void {
  const whole = { ...shape, tokens: pieces.length }
  const contents = {
    weights: safetensorsOf(randomTables(whole, seed), tablesOf(whole)),
    vocabulary: Buffer.from(`${pieces.join('\n')}\n`),
  }
  const names = { weights: 'weights.safetensors', vocabulary: 'vocabulary.txt' }
  const file = (part: keyof typeof names) => ({
    file: names[part],
    sha256: createHash('sha256').update(contents[part]).digest('hex'),
  })
  const card = {
    name: 'random',
    format: 'audition-reader/1',
    ...whole,
    ...limits,
    files: { weights: file('weights'), vocabulary: file('vocabulary') },
    card: 'Never trained.',
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'model.json'), JSON.stringify(card, null, 2))
  writeFileSync(join(folder, names.weights), contents.weights)
  writeFileSync(join(folder, names.vocabulary), contents.vocabulary)
}
