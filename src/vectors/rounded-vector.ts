/** A vector in 8 bits: the values of each part as multiples of 1/127 of the largest of that part. */
export type RoundedVector = {
  /** Part after part, -127..127 each. */
  readonly values: Int8Array
  /** The largest magnitude of each part, >= 0. */
  readonly largest: Float32Array
}

/** The largest value of a part becomes this one, or its negative. */
const mostValue = 127

/** What a part's values are multiplied by to have those that were rounded. */
export const scaleOf = (largest: number): number => largest / mostValue

/** Where each part begins and ends. */
export const spansOf = (
  parts: readonly number[],
): readonly { readonly from: number; readonly to: number }[] => {
  let to = 0
  return parts.map((length) => {
    const from = to
    to += length
    return { from, to }
  })
}

/**
 * Rounds each part to 8 bits with a scale of its own, so that no value moves by more than 1/254 of the largest one.
 *
 * @param parts - their lengths, which add up to the vector's
 * @returns null when it holds anything but finite numbers
 */
export function roundedVector(vector: Float32Array, parts: readonly number[]): RoundedVector | null {
  const values = new Int8Array(vector.length)
  const largest = new Float32Array(parts.length)
  for (const [part, { from, to }] of spansOf(parts).entries()) {
    const own = vector.subarray(from, to)
    const most = own.reduce((sofar, value) => Math.max(sofar, Math.abs(value)), 0)
    if (!Number.isFinite(most)) return null
    const step = most === 0 ? 1 : scaleOf(most)
    for (let at = from; at < to; at++) values[at] = Math.round(vector[at]! / step)
    largest[part] = most
  }
  return { values, largest }
}

/** The vector that was rounded, nearly. */
function vectorOfRounded({ values, largest }: RoundedVector, parts: readonly number[]): Float32Array {
  const vector = new Float32Array(values.length)
  for (const [part, { from, to }] of spansOf(parts).entries()) {
    const scale = scaleOf(largest[part]!)
    for (let at = from; at < to; at++) vector[at] = values[at]! * scale
  }
  return vector
}

/** The unit vector nearest to a rounded one of one part. */
export function unitOfRounded(rounded: RoundedVector): Float32Array {
  const vector = vectorOfRounded(rounded, [rounded.values.length])
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** As {@link RoundedVector} lies in a store: the largest of each part in 4 bytes, then the values. */
export function bytesOfRounded({ values, largest }: RoundedVector): Uint8Array {
  const bytes = new Uint8Array(largest.byteLength + values.length)
  bytes.set(new Uint8Array(largest.buffer, largest.byteOffset, largest.byteLength))
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.length), largest.byteLength)
  return bytes
}

/** @throws RangeError when there are not as many bytes as such a vector has */
export function roundedOfBytes(bytes: Uint8Array, parts: readonly number[]): RoundedVector {
  const expected = parts.reduce((sum, length) => sum + length, 4 * parts.length)
  if (bytes.length !== expected) throw new RangeError(`A vector of ${bytes.length} bytes, not ${expected}.`)
  // A copy, also of a `Buffer`, whose `slice` is none.
  const own = new Uint8Array(bytes)
  return {
    largest: new Float32Array(own.buffer, 0, parts.length),
    values: new Int8Array(own.buffer, 4 * parts.length),
  }
}
