import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Encoder, openEncoder } from '../../vectors/reader/encoder.ts'
import { bytesOf, type SharedBytes } from '../../vectors/kernels/web-assembly.ts'
import { readWeightsNow } from '../../vectors/weight-file.ts'
import { type WordPiece, wordPiece } from '../../vectors/reader/word-piece.ts'
import { type ReaderCard, opened, readReaderCard, readingOf } from './reader-card.ts'

/** A transformer with its vocabulary: it turns texts into unit vectors. */
export type TextReader = {
  readonly name: string
  /** SHA-256 of the weights. */
  readonly sha256: string
  readonly dimensions: number
  /** In the caller's thread. */
  encodeQuery(text: string): Float32Array
  /** One vector per text, in order; each is the same whatever stands beside it. */
  encodeQueries(texts: readonly string[]): readonly Float32Array[]
  /** As {@link encodeQueries}; more is read of each. */
  encodeCards(texts: readonly string[]): readonly Float32Array[]
  /** Ends the threads that many texts started. */
  close(): Promise<void>
}

type ReaderOptions = {
  /** Threads that compute many texts, the caller's own among them; >= 1. @defaultValue 1 */
  readonly threads?: number
  /** Its file of weights. @defaultValue it is read now */
  readonly weights?: SharedBytes
}

/**
 * Opens a reader: `model.json`, and beside it the weights and the vocabulary that it names.
 *
 * @throws EmbeddingModelError when a file is missing, damaged, or not what the card says; the message names file and field
 */
export function openReader(folder: string, { threads = 1, weights }: ReaderOptions = {}): TextReader {
  const card = readReaderCard(folder)
  const { name, hidden: dimensions, queryLimit, cardLimit } = card
  const pieces = opened(() => openVocabulary(card, folder))
  const encoder = opened(() => openWeights(card, folder, { threads, weights }))
  const encode = (texts: readonly string[], limit: number): readonly Float32Array[] =>
    encoder.encode(texts.map((text) => pieces.tokens(text, limit)))
  return {
    name,
    sha256: card.files.weights.sha256,
    dimensions,
    encodeQuery: (text) => encode([text], queryLimit)[0]!,
    encodeQueries: (texts) => encode(texts, queryLimit),
    encodeCards: (texts) => encode(texts, cardLimit),
    close: () => encoder.close(),
  }
}

function openVocabulary({ files: { vocabulary }, tokens }: ReaderCard, folder: string): WordPiece {
  const file = join(folder, vocabulary.file)
  const bytes = readingOf(file, () => readFileSync(file))
  checkHash(bytes, vocabulary.sha256, file)
  const pieces = wordPiece(bytes.toString('utf8'), file)
  if (pieces.size !== tokens)
    throw new Error(`${file}: has ${pieces.size} pieces, and "tokens" of the card is ${tokens}.`)
  return pieces
}

function openWeights(
  card: ReaderCard,
  folder: string,
  { threads, weights: given }: { readonly threads: number; readonly weights: SharedBytes | undefined },
): Encoder {
  const { file: name, sha256 } = card.files.weights
  const file = join(folder, name)
  const weights = given ?? readingOf(file, () => readWeightsNow(file))
  checkHash(bytesOf(weights), sha256, file)
  return openEncoder({ weights, shape: card, file, threads })
}

function checkHash(bytes: Uint8Array, sha256: string, file: string): void {
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${file}: the checksum is not the one of the card.`)
}
