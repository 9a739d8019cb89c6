/**
 * Columns as the report's packer writes them: raw deflate in base64.
 *
 * @param {string} letters
 * @returns {Promise<Uint8Array>}
 */
export async function inflate(letters) {
  const decoded = atob(letters)
  const packed = new Uint8Array(decoded.length)
  for (let at = 0; at < decoded.length; at++) packed[at] = decoded.charCodeAt(at)
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/**
 * Numbers from their planes: how many there are, then the lowest bytes of all numbers, and so on.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint32Array}
 */
export function numbers(bytes) {
  const width = bytes[0] ?? 1
  const count = (bytes.length - 1) / width
  const values = new Uint32Array(count)
  for (let plane = 0; plane < width; plane++) {
    const from = 1 + plane * count
    // Uint32Array takes the bits as they are, whatever their sign.
    for (let at = 0; at < count; at++)
      values[at] = (values[at] ?? 0) | ((bytes[from + at] ?? 0) << (8 * plane))
  }
  return values
}

/** Undoes the packer's zigzag. @param {number} value */
export const unzigzag = (value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/**
 * Where each list begins, and where the last one ends.
 *
 * @param {Uint32Array} lengths
 */
export function startsOf(lengths) {
  const starts = new Uint32Array(lengths.length + 1)
  for (let at = 0; at < lengths.length; at++) starts[at + 1] = (starts[at] ?? 0) + (lengths[at] ?? 0)
  return starts
}

/**
 * Texts that were packed with what each shares with the one before.
 *
 * @param {Uint32Array} shared
 * @param {Uint32Array} lengths
 * @param {Uint8Array} bytes
 * @returns {readonly string[]}
 */
export function texts(shared, lengths, bytes) {
  const letters = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  /** @type {string[]} */
  const all = []
  let from = 0
  let before = ''
  for (let at = 0; at < lengths.length; at++) {
    const to = from + (lengths[at] ?? 0)
    before = before.slice(0, shared[at]) + letters.slice(from, to)
    all.push(before)
    from = to
  }
  return all
}

/** As the packer has it: bytes below this end a word's number. */
const enders = 200
const goers = 256 - enders

/**
 * Texts that were written as numbers of words. Words that are spaced have a space between them when they follow each
 * other; word 0 ends a text.
 *
 * @param {readonly string[]} words
 * @param {Uint32Array} spaced
 * @param {Uint8Array} codes
 * @returns {readonly string[]}
 */
export function wordTexts(words, spaced, codes) {
  /** @type {string[]} */
  const all = []
  let text = ''
  let begun = 0
  let afterWord = false
  for (const code of codes) {
    if (code >= enders) {
      begun = begun * goers + (code - enders) + 1
      continue
    }
    const number = begun * enders + code
    begun = 0
    if (number === 0) {
      all.push(text)
      text = ''
      afterWord = false
      continue
    }
    const isWord = spaced[number] === 1
    text += afterWord && isWord ? ` ${words[number]}` : words[number]
    afterWord = isWord
  }
  return all
}
