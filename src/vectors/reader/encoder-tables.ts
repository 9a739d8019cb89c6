import type { Safetensors, TensorForm, TensorPlaces } from './safetensors.ts'

/** Sizes of a transformer. */
export type EncoderShape = {
  readonly layers: number
  /** Values of a row: a multiple of 8, and of 4 times `heads`. */
  readonly hidden: number
  readonly heads: number
  /** A multiple of 8. */
  readonly intermediate: number
  /** Most tokens of a text. */
  readonly positions: number
  /** Rows of the vocabulary. */
  readonly tokens: number
  /** Added to variances. */
  readonly epsilon: number
}

const words = 'embeddings.word'
/** Values that four bits tell apart. */
const levels = 16

/** Puts words of 32 bits one after the other, and tells where they begin. */
export type WordWriter = (...words: readonly number[]) => number

/**
 * Writes what the kernel needs to know: sizes, and where each table lies. A vocabulary is the largest table of a small transformer:
 * `embeddings.word.packed` holds two of its values in a byte, each the place of one of the 16 in `embeddings.word.levels`.
 *
 * @param find - gives the first byte of a table in memory
 * @param write - keeps words in memory
 * @param form - of the vocabulary
 * @returns where the kernel's `Encoder` begins
 * @throws Error when a table is missing or of another form
 */
export function writeTables(
  shape: EncoderShape,
  { find, write }: { readonly find: TensorPlaces; readonly write: WordWriter },
  form: 'plain' | 'packed' = 'plain',
): number {
  const { hidden, heads, intermediate, layers, positions, tokens } = shape
  const rows = (name: string, form: readonly number[]) => find(name, { dtype: 'I8', shape: form })
  const floats = (name: string, ...form: readonly number[]) => find(name, { dtype: 'F32', shape: form })
  const epsilon = bitsOf(shape.epsilon)
  const norm = (name: string) =>
    write(floats(`${name}.weight`, hidden), floats(`${name}.bias`, hidden), epsilon)
  const linear = (name: string, inputs: number, outputs: number) =>
    write(
      rows(`${name}.weight`, [outputs, inputs]),
      floats(`${name}.scale`, outputs),
      floats(`${name}.bias`, outputs),
      inputs,
      outputs,
    )
  const layer = (name: string) =>
    write(
      linear(`${name}.attention.query`, hidden, hidden),
      linear(`${name}.attention.key`, hidden, hidden),
      linear(`${name}.attention.value`, hidden, hidden),
      linear(`${name}.attention.output`, hidden, hidden),
      norm(`${name}.attention.norm`),
      linear(`${name}.intermediate`, hidden, intermediate),
      linear(`${name}.output`, intermediate, hidden),
      norm(`${name}.output.norm`),
    )
  return write(
    hidden,
    heads,
    intermediate,
    layers,
    ...(form === 'packed'
      ? [
          find(`${words}.packed`, { dtype: 'U8', shape: [tokens, hidden / 2] }),
          rows(`${words}.levels`, [levels]),
        ]
      : [rows(words, [tokens, hidden]), 0]),
    floats(`${words}.scale`, tokens),
    floats('embeddings.position', positions, hidden),
    norm('embeddings.norm'),
    ...Array.from({ length: layers }, (_, place) => layer(`layers.${place}`)),
  )
}

/** The form in which a file holds its vocabulary. */
export const formOfWords = ({ has }: Safetensors): 'plain' | 'packed' =>
  !has(words) && has(`${words}.packed`) ? 'packed' : 'plain'

/** Words of 32 bits that {@link writeTables} writes. */
export const wordsOfTables = (layers: number): number => 12 + layers * (1 + 8 + 6 * 5 + 2 * 3)

const bitsOf = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!

/** Every table that an encoder of this shape reads, by its name. */
export function tablesOf(shape: EncoderShape): ReadonlyMap<string, TensorForm> {
  const forms = new Map<string, TensorForm>()
  const note = (name: string, form: TensorForm): number => {
    forms.set(name, form)
    return 0
  }
  writeTables(shape, { find: note, write: () => 0 })
  return forms
}
