import { createHash } from 'node:crypto'
import { openVocabulary, packVocabulary } from './packed-vocabulary.ts'
import type { EmbeddingField, StaticWeights } from './static-embedding.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The head of a model file's JSON: what is needed to open the weights beside it. */
export type EmbeddingHead = {
  readonly format: 'audition-static-embedding/1'
  readonly dimensions: number
  readonly tokens: number
  readonly queryLimit: number
  readonly fields: readonly EmbeddingField[]
  /** Bytes of the packed vocabulary, with which the weights begin. */
  readonly vocabularyBytes: number
  /** SHA-256 of the weights, hexadecimal. */
  readonly sha256: string
}

/** Weights with their head: vocabulary, factors of queries, factors of documents (float32), then rows (int8). */
export type PackedEmbedding = { readonly head: EmbeddingHead; readonly bytes: Uint8Array }

export class EmbeddingFileError extends Error {
  override readonly name = 'EmbeddingFileError'
}

const aligned = (offset: number): number => Math.ceil(offset / 4) * 4

export function packEmbedding(weights: StaticWeights): PackedEmbedding {
  const { vocabulary, dimensions, rows, queryFactors, documentFactors, queryLimit, fields } = weights
  const packed = packVocabulary(vocabulary)
  const start = aligned(packed.length)
  const bytes = new Uint8Array(start + 8 * vocabulary.size + rows.length)
  bytes.set(packed)
  bytes.set(bytesOf(queryFactors), start)
  bytes.set(bytesOf(documentFactors), start + 4 * vocabulary.size)
  bytes.set(bytesOf(rows), start + 8 * vocabulary.size)
  return {
    head: {
      format: 'audition-static-embedding/1',
      dimensions,
      tokens: vocabulary.size,
      queryLimit,
      fields,
      vocabularyBytes: packed.length,
      sha256: checksum(bytes),
    },
    bytes,
  }
}

/**
 * Opens packed weights without copying them.
 *
 * @param file - named in messages
 * @throws EmbeddingFileError when the bytes are not those the head tells of
 */
export function openEmbedding({ head, bytes }: PackedEmbedding, file: string): StaticWeights {
  const start = aligned(head.vocabularyBytes)
  const expected = start + 8 * head.tokens + head.tokens * head.dimensions
  if (bytes.length !== expected)
    throw new EmbeddingFileError(
      `${file}: ${bytes.length} bytes, but the model card tells of ${expected}. ${remedy}`,
    )
  if (checksum(bytes) !== head.sha256)
    throw new EmbeddingFileError(`${file}: the checksum is not the one of the model card. ${remedy}`)
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const vocabulary = vocabularyOf(whole.subarray(0, head.vocabularyBytes), file)
  if (vocabulary.size !== head.tokens)
    throw new EmbeddingFileError(
      `${file}: holds ${vocabulary.size} tokens, but the model card tells of ${head.tokens}. ${remedy}`,
    )
  const floats = (offset: number): Float32Array =>
    new Float32Array(whole.buffer, whole.byteOffset + offset, head.tokens)
  return {
    dimensions: head.dimensions,
    vocabulary,
    queryFactors: floats(start),
    documentFactors: floats(start + 4 * head.tokens),
    rows: new Int8Array(
      whole.buffer,
      whole.byteOffset + start + 8 * head.tokens,
      head.tokens * head.dimensions,
    ),
    queryLimit: head.queryLimit,
    fields: head.fields,
  }
}

function vocabularyOf(bytes: Uint8Array, file: string): Vocabulary {
  try {
    return openVocabulary(bytes)
  } catch (error) {
    throw new EmbeddingFileError(`${file}: ${(error as Error).message}`, { cause: error })
  }
}

const remedy = 'Install the package again, or train the model anew: audition train'

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
