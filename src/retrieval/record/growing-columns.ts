type GrowingColumn<Values> = {
  /** Longer than what was added; after an addition it may be another array. */
  readonly values: Values
  /** @returns where it stands */
  push(value: number): number
  /** @returns where the first of them stands */
  pushAll(added: ArrayLike<number>): number
}

type NumberArray = Int8Array | Uint8Array | Int32Array | Float32Array | Float64Array

/** @param make - an array of a length, all zero */
export function growingColumn<Values extends NumberArray>(
  make: (length: number) => Values,
): GrowingColumn<Values> {
  let values = make(64)
  let length = 0
  const room = (more: number): void => {
    if (length + more <= values.length) return
    const larger = make(Math.max(2 * values.length, length + more))
    larger.set(values)
    values = larger
  }
  return {
    get values() {
      return values
    },
    push(value) {
      room(1)
      values[length] = value
      length += 1
      return length - 1
    },
    pushAll(added) {
      room(added.length)
      values.set(added, length)
      length += added.length
      return length - added.length
    },
  }
}
