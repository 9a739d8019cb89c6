import type { EncoderShape } from './encoder-tables.ts'
import type { Safetensors } from './safetensors.ts'

const wordTable = 'embeddings.word'

/** Values that four bits tell apart. */
const levels = 16

/** Writes a table of words that a file holds in another form. */
export type PackedWords = {
  /** Bytes that it takes. */
  readonly size: number
  /** @param into - as many as `size` */
  expand(into: Int8Array): void
}

/**
 * A vocabulary is the largest table of a small transformer. `embeddings.word.packed` holds two of its values in a byte, low four bits
 * first, each the place of one of the 16 values in `embeddings.word.levels`; the kernel reads them as they are in `embeddings.word`.
 *
 * @param bytes - of the file
 * @returns null when the file has the table as it is read
 * @throws Error when one of the two tables is missing or of another form
 */
export function packedWords(
  bytes: Uint8Array,
  { has, place }: Safetensors,
  { tokens, hidden }: EncoderShape,
): PackedWords | null {
  const name = `${wordTable}.packed`
  if (has(wordTable) || !has(name)) return null
  const size = tokens * hidden
  const from = place(name, { dtype: 'U8', shape: [tokens, hidden / 2] })
  const levelsAt = place(`${wordTable}.levels`, { dtype: 'I8', shape: [levels] })
  return {
    size,
    expand(into) {
      const values = Int8Array.from(bytes.subarray(levelsAt, levelsAt + levels))
      for (let at = 0; at < size / 2; at++) {
        const pair = bytes[from + at]!
        into[2 * at] = values[pair & 15]!
        into[2 * at + 1] = values[pair >> 4]!
      }
    },
  }
}

/** Whether a table is the one that {@link packedWords} writes. */
export const isWordTable = (name: string): boolean => name === wordTable
