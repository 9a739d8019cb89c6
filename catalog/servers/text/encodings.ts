import { createHash } from 'node:crypto'
import { InputError } from '../shared/input-error.ts'

/** Digests on offer. The first two are for comparing files with old lists, not for safety. */
export const hashAlgorithms = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const

/** Digest of the text as UTF-8, in lower-case hexadecimal. */
export const hashText = (text: string, algorithm: (typeof hashAlgorithms)[number]): string =>
  createHash(algorithm).update(text, 'utf8').digest('hex')

/** `url` uses - and _ and leaves the padding out. */
export const encodeBase64 = (text: string, alphabet: 'standard' | 'url'): string =>
  Buffer.from(text, 'utf8').toString(alphabet === 'url' ? 'base64url' : 'base64')

/** Reads both alphabets, with or without padding and line breaks. @throws InputError when it is no text in Base64 */
export function decodeBase64(encoded: string): string {
  const packed = encoded.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(packed) || packed.replace(/=+$/, '').length % 4 === 1) {
    throw new InputError(
      '"encoded" is no Base64. Send letters, digits, + / or - _ only, for example "aGVsbG8=".',
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(packed, 'base64'))
  } catch (cause) {
    throw new InputError(
      '"encoded" holds bytes that are no UTF-8 text, perhaps an image. Send encoded text.',
      { cause },
    )
  }
}
