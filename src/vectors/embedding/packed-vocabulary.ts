import { createHash } from 'node:crypto'
import { wordSplitVersion } from './split-words.ts'
import { emptySlots, tokenTable, tokenTableIn } from '../../domain/text/token-table.ts'
import { type Vocabulary, vocabularyIn } from './vocabulary.ts'

/*
 * Layout, numbers little-endian:
 *   0  8 bytes   "AUDVOCAB"
 *   8  u16       version of this layout
 *  10  u16       version of the word splitting the tokens were learned under
 *  12  u32       number of tokens
 *  16  u32       bytes of the text
 *  20  32 bytes  SHA-256 of everything else
 *  52  slots     of the table that finds a token, so that opening needs not build it
 *      u8 each   lengths of the tokens in UTF-16 units
 *      text      the tokens end to end, in the order of their ids, UTF-8
 */
const magic = 'AUDVOCAB'
const layoutVersion = 1
const hashStart = 20
const hashEnd = 52

const checksum = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(bytes.subarray(0, hashStart)).update(bytes.subarray(hashEnd)).digest()

/**
 * The vocabulary as bytes, for {@link openVocabulary}: about eleven bytes a token.
 *
 * @throws Error when a token is longer than 255 UTF-16 units
 */
export function packVocabulary({ tokens }: Vocabulary): Uint8Array {
  const { joined, slots } = tokenTable(tokens)
  const lengths = Uint8Array.from(tokens, (token) => {
    if (token.length > 0xff)
      throw new Error(`A token has ${token.length} characters, more than 255: ${token}`)
    return token.length
  })
  const text = Buffer.from(joined, 'utf8')
  const header = Buffer.alloc(hashEnd)
  header.write(magic, 0, 'latin1')
  header.writeUInt16LE(layoutVersion, 8)
  header.writeUInt16LE(wordSplitVersion, 10)
  header.writeUInt32LE(tokens.length, 12)
  header.writeUInt32LE(text.length, 16)
  const bytes = Buffer.concat([header, new Uint8Array(slots.buffer), lengths, text])
  checksum(bytes).copy(bytes, hashStart)
  return new Uint8Array(bytes)
}

const remedy = 'Install the model again, or train it anew with `audition train`.'

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
  const size = buffer.readUInt32LE(12)
  const layout = buffer.readUInt16LE(8)
  if (layout !== layoutVersion)
    throw new Error(
      `The vocabulary has layout ${layout}, this version reads layout ${layoutVersion}. ${remedy}`,
    )
  // Before any memory is taken for a size that damage made up.
  const slots = size < buffer.length ? emptySlots(size) : emptySlots(0)
  const lengthsStart = hashEnd + slots.byteLength
  const textStart = lengthsStart + size
  const length = textStart + buffer.readUInt32LE(16)
  if (buffer.length !== length)
    throw new Error(
      `The vocabulary is damaged: ${buffer.length} bytes where ${length} are announced. ${remedy}`,
    )
  if (!buffer.subarray(hashStart, hashEnd).equals(checksum(buffer)))
    throw new Error(`The vocabulary is damaged: its checksum does not match. ${remedy}`)
  const split = buffer.readUInt16LE(10)
  if (split !== wordSplitVersion)
    throw new Error(
      `The vocabulary was learned from words split by rule ${split}, this version splits by rule ${wordSplitVersion}. ${remedy}`,
    )
  buffer.copy(new Uint8Array(slots.buffer), 0, hashEnd, lengthsStart)
  if (!slots.includes(0)) throw new Error(`The vocabulary is damaged: its table has no empty slot. ${remedy}`)
  const offsets = new Uint32Array(size + 1)
  const lengths = new Uint8Array(bytes.buffer, bytes.byteOffset + lengthsStart, size)
  for (let id = 0, end = 0; id < size; ) {
    end += lengths[id]!
    id += 1
    offsets[id] = end
  }
  return vocabularyIn(tokenTableIn(buffer.toString('utf8', textStart), offsets, slots))
}
