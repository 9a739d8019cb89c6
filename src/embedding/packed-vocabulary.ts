import { createHash } from 'node:crypto'
import { wordSplitVersion } from './split-words.ts'
import { type Vocabulary, vocabularyIn } from './vocabulary.ts'

/*
 * Layout, numbers little-endian:
 *   0  8 bytes  "AUDVOCAB"
 *   8  u16      version of this layout
 *  10  u16      version of the word splitting the tokens were learned under
 *  12  u32      number of tokens
 *  16  u32      bytes of the tokens
 *  20  32 bytes SHA-256 of everything else
 *  52  tokens   UTF-8, a line each, in the order of their ids
 */
const magic = 'AUDVOCAB'
const layoutVersion = 1
const hashStart = 20
const hashEnd = 52

const checksum = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(bytes.subarray(0, hashStart)).update(bytes.subarray(hashEnd)).digest()

/** The vocabulary as bytes, for {@link openVocabulary}: about eight bytes a token. */
export function packVocabulary(vocabulary: Vocabulary): Uint8Array {
  const tokens = Buffer.from(vocabulary.tokens.map((token) => `${token}\n`).join(''), 'utf8')
  const bytes = Buffer.alloc(hashEnd + tokens.length)
  bytes.write(magic, 0, 'latin1')
  bytes.writeUInt16LE(layoutVersion, 8)
  bytes.writeUInt16LE(wordSplitVersion, 10)
  bytes.writeUInt32LE(vocabulary.size, 12)
  bytes.writeUInt32LE(tokens.length, 16)
  tokens.copy(bytes, hashEnd)
  checksum(bytes).copy(bytes, hashStart)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

const remedy = 'Install the model again, or train it anew with `audition train`.'

/** Where each of `count` lines starts in the text, in UTF-16 units, the line feeds left out of the text. */
function readLines(text: string, count: number): { readonly joined: string; readonly offsets: Uint32Array } {
  const offsets = new Uint32Array(count + 1)
  let id = 0
  for (let end = text.indexOf('\n'); end >= 0 && id < count; end = text.indexOf('\n', end + 1)) {
    offsets[id + 1] = end - id
    id += 1
  }
  if (id !== count || text.length !== offsets[count]! + count)
    throw new Error(`It should hold ${count} tokens, a line each. ${remedy}`)
  return { joined: text.replaceAll('\n', ''), offsets }
}

/**
 * Opens what {@link packVocabulary} made.
 *
 * @throws Error when the bytes are no vocabulary, are damaged or cut short, or were made by another version: each says
 * what is wrong and what to do
 */
export function openVocabulary(bytes: Uint8Array): Vocabulary {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < hashEnd || buffer.toString('latin1', 0, magic.length) !== magic)
    throw new Error(
      `These ${buffer.length} bytes are no vocabulary: they do not start with ${magic}. ${remedy}`,
    )
  const length = hashEnd + buffer.readUInt32LE(16)
  if (buffer.length !== length)
    throw new Error(
      `The vocabulary is damaged: ${buffer.length} bytes where ${length} are announced. ${remedy}`,
    )
  if (!buffer.subarray(hashStart, hashEnd).equals(checksum(buffer)))
    throw new Error(`The vocabulary is damaged: its checksum does not match. ${remedy}`)
  const layout = buffer.readUInt16LE(8)
  if (layout !== layoutVersion)
    throw new Error(
      `The vocabulary has layout ${layout}, this version reads layout ${layoutVersion}. ${remedy}`,
    )
  const split = buffer.readUInt16LE(10)
  if (split !== wordSplitVersion)
    throw new Error(
      `The vocabulary was learned from words split by rule ${split}, this version splits by rule ${wordSplitVersion}. ${remedy}`,
    )
  const { joined, offsets } = readLines(buffer.toString('utf8', hashEnd), buffer.readUInt32LE(12))
  try {
    return vocabularyIn(joined, offsets)
  } catch (error) {
    throw new Error(`The vocabulary is damaged: ${(error as Error).message} ${remedy}`, { cause: error })
  }
}
