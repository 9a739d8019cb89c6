import { RemedyError } from '../../domain/remedy-error.ts'
import { createHash } from 'node:crypto'
import { openVocabulary, packVocabulary } from './packed-vocabulary.ts'
import type { EmbeddingField, StaticWeights } from './static-embedding.ts'
import { openVectors, packVectors, type TokenVectors, vectorBytes } from './token-vectors.ts'
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
type PackedEmbedding = { readonly head: EmbeddingHead; readonly bytes: Uint8Array }

/** Whatever else the folder holds that they lie in. */
type EmbeddingFile = { readonly head: Omit<EmbeddingHead, 'format'>; readonly bytes: Uint8Array }

const aligned = (offset: number): number => Math.ceil(offset / 4) * 4

export function packEmbedding(weights: StaticWeights): PackedEmbedding {
  const { vocabulary, dimensions, queryLimit, fields } = weights
  const packed = packVocabulary(vocabulary)
  const start = aligned(packed.length)
  const vectors = packVectors(weights)
  const bytes = new Uint8Array(start + vectors.length)
  bytes.set(packed)
  bytes.set(vectors, start)
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
 * @throws RemedyError when the bytes are not those the head tells of
 */
export function openEmbedding({ head, bytes }: EmbeddingFile, file: string): StaticWeights {
  const start = aligned(head.vocabularyBytes)
  const expected = start + vectorBytes(head.tokens, head.dimensions)
  refuseOthers(bytes, { bytes: expected, sha256: head.sha256 }, file)
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const vocabulary = vocabularyOf(whole.subarray(0, head.vocabularyBytes), file)
  if (vocabulary.size !== head.tokens)
    throw new RemedyError(
      `${file}: holds ${vocabulary.size} tokens, but the model card tells of ${head.tokens}.`,
      remedy,
    )
  return {
    ...openVectors(whole.subarray(start), head.tokens, head.dimensions),
    vocabulary,
    queryLimit: head.queryLimit,
    fields: head.fields,
  }
}

/** What a model file's JSON tells of the vectors by which words are matched. */
type InteractionHead = { readonly dimensions: number; readonly sha256: string }

export function packInteraction(vectors: TokenVectors): {
  readonly head: InteractionHead
  readonly bytes: Uint8Array
} {
  const bytes = packVectors(vectors)
  return { head: { dimensions: vectors.dimensions, sha256: checksum(bytes) }, bytes }
}

/**
 * @param tokens - of the vocabulary
 * @param file - named in messages
 * @throws RemedyError when the bytes are not those the head tells of
 */
export function openInteraction(
  { head, bytes }: { readonly head: InteractionHead; readonly bytes: Uint8Array },
  tokens: number,
  file: string,
): TokenVectors {
  refuseOthers(bytes, { bytes: vectorBytes(tokens, head.dimensions), sha256: head.sha256 }, file)
  return openVectors(bytes.byteOffset % 4 === 0 ? bytes : bytes.slice(), tokens, head.dimensions)
}

/** @throws RemedyError when a file is not the one its head tells of */
function refuseOthers(
  bytes: Uint8Array,
  expected: { readonly bytes: number; readonly sha256: string },
  file: string,
): void {
  if (bytes.length !== expected.bytes)
    throw new RemedyError(
      `${file}: ${bytes.length} bytes, but the model card tells of ${expected.bytes}.`,
      remedy,
    )
  if (checksum(bytes) !== expected.sha256)
    throw new RemedyError(`${file}: the checksum is not the one of the model card.`, remedy)
}

function vocabularyOf(bytes: Uint8Array, file: string): Vocabulary {
  try {
    return openVocabulary(bytes)
  } catch (error) {
    throw new RemedyError(`${file}: ${(error as Error).message}`, remedy, { cause: error })
  }
}

const remedy = 'Install the package again, or train the model anew: audition train'

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
