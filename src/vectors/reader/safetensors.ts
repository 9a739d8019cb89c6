/** Number formats that are read. */
const bytesOf = { I8: 1, U8: 1, F32: 4 } as const

/** One table of a file. */
type Tensor = {
  readonly dtype: string
  readonly shape: readonly number[]
  /** First byte in the file. */
  readonly at: number
}

/** What a table should be. */
export type TensorForm = { readonly dtype: keyof typeof bytesOf; readonly shape: readonly number[] }

/** Looks up a table of a file by its name and form, and gives its first byte. */
export type TensorPlaces = (name: string, form: TensorForm) => number

/** What a file holds. */
export type Safetensors = {
  readonly has: (name: string) => boolean
  /** @throws Error when a table is missing, or of another form */
  readonly place: TensorPlaces
}

/**
 * Reads the header of a safetensors file: its length in 8 bytes, little-endian, then JSON that names tables and where their bytes
 * lie behind it.
 *
 * @param file - its name in the words of errors
 * @throws Error when the header is damaged or names bytes that the file has not
 * @see https://github.com/huggingface/safetensors#format
 */
export function openSafetensors(bytes: Uint8Array, file: string): Safetensors {
  const tensors = readHeader(bytes, file)
  return {
    has: (name) => tensors.has(name),
    place(name, { dtype, shape }) {
      const found = tensors.get(name)
      if (!found) throw new Error(`${file}: there is no tensor "${name}".`)
      const wanted = formText(dtype, shape)
      const given = formText(found.dtype, found.shape)
      if (given !== wanted) throw new Error(`${file}, ${name}: is ${given}, and the model needs ${wanted}.`)
      return found.at
    },
  }
}

const formText = (dtype: string, shape: readonly number[]): string => `${dtype} [${shape.join(', ')}]`

function readHeader(bytes: Uint8Array, file: string): ReadonlyMap<string, Tensor> {
  const length =
    bytes.length < 8 ? Number.NaN : Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  const begin = 8 + length
  if (!(begin <= bytes.length)) throw new Error(`${file}: is cut off before the end of its header.`)
  let header: unknown
  try {
    // A copy: text is not decoded from memory that threads share.
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.slice(8, begin)))
  } catch (error) {
    throw new Error(`${file}: its header is not JSON (${(error as Error).message}).`, { cause: error })
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header))
    throw new Error(`${file}: its header is no object.`)
  const named = Object.entries(header).filter(([name]) => name !== '__metadata__')
  return new Map(
    named.map(([name, entry]) => [
      name,
      tensorOf(entry, { begin, size: bytes.length, what: `${file}, ${name}` }),
    ]),
  )
}

function tensorOf(
  entry: unknown,
  { begin, size, what }: { readonly begin: number; readonly size: number; readonly what: string },
): Tensor {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as { readonly [key: string]: unknown }
  if (typeof dtype !== 'string' || !areSizes(shape) || !areSizes(offsets) || offsets.length !== 2)
    throw new Error(`${what}: its header does not say dtype, shape and data_offsets.`)
  const [from, to] = offsets as [number, number]
  if (from > to || begin + to > size) throw new Error(`${what}: is cut off, or lies outside the file.`)
  const each = Object.hasOwn(bytesOf, dtype) ? bytesOf[dtype as keyof typeof bytesOf] : undefined
  const count = shape.reduce((product, length) => product * length, 1)
  if (each !== undefined && to - from !== count * each)
    throw new Error(`${what}: has ${to - from} bytes, and ${formText(dtype, shape)} takes ${count * each}.`)
  return { dtype, shape, at: begin + from }
}

const areSizes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0)
