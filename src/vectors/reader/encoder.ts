import { wasm } from '../kernels/text-encoder.wasm.ts'
import { aligned, bytesOf, firstByte, roomIn, type SharedBytes } from '../kernels/web-assembly.ts'
import { type KernelCall, startWorkers, type WorkerPool } from '../kernels/worker-pool.ts'
import { openRoom, type Room, roomSizes, textsAtOnce } from './encoder-room.ts'
import { type EncoderShape, formOfWords, wordsOfTables, writeTables } from './encoder-tables.ts'
import { openSafetensors } from './safetensors.ts'

/** From so many texts on further threads are started; before, starting them takes longer than they save. */
const worthThreads = 32

/** Turns tokens into vectors. */
export type Encoder = {
  /**
   * @param texts - tokens of each, at least one and at most as many as there are positions
   * @returns one unit vector per text, in order; the same bits whatever stands beside it, on every machine
   * @throws RangeError when a text has no tokens or too many
   */
  encode(texts: readonly (readonly number[])[]): readonly Float32Array[]
  /** What the tokens of one text are after the last layer: `hidden` values each, one after the other. In the caller's thread. */
  rowsOf(text: readonly number[]): Float32Array
  /** Ends its threads. */
  close(): Promise<void>
}

/** A file of weights, and what it should hold. */
export type EncoderSource = {
  readonly weights: SharedBytes
  readonly shape: EncoderShape
  /** Name of the file in the words of errors. */
  readonly file: string
  /** Threads that compute many texts, the caller's own among them; >= 1. */
  readonly threads: number
}

/**
 * Opens a transformer over the bytes of a safetensors file. They are read where they lie, and may not change any more; other threads
 * may open one over the same.
 *
 * @throws Error when a table is missing, damaged or of another form; the message names it
 */
export function openEncoder({ weights, shape, file, threads }: EncoderSource): Encoder {
  const { memory } = weights
  const tensors = openSafetensors(bytesOf(weights), file)
  const tableBytes = aligned(4 * wordsOfTables(shape.layers))
  const room = roomSizes(shape)
  const top = roomIn(memory, tableBytes + threads * room.bytes)
  let next = top
  const table = writeTables(
    shape,
    {
      find: (name, form) => firstByte + tensors.place(name, form),
      write(...values) {
        const at = next
        new Uint32Array(memory.buffer, at, values.length).set(values)
        next += 4 * values.length
        return at
      },
    },
    formOfWords(tensors),
  )
  const rooms = Array.from({ length: threads }, (_, thread) =>
    openRoom(memory, top + tableBytes + thread * room.bytes, room),
  )
  const bytes = Uint8Array.from(Buffer.from(wasm, 'base64'))
  const alone = startWorkers(bytes, memory, 1)
  let together: WorkerPool | undefined
  const check = ({ length }: readonly number[]): void => {
    if (length < 1 || length > shape.positions)
      throw new RangeError(`A text of ${length} tokens; from 1 to ${shape.positions} can be encoded.`)
  }
  return {
    encode(texts) {
      texts.forEach(check)
      if (threads > 1 && texts.length >= worthThreads) together ??= startWorkers(bytes, memory, threads)
      const pool = texts.length > 1 && together ? together : alone
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += pool.size * textsAtOnce)
        vectors.push(...encodeSome(texts.slice(from, from + pool.size * textsAtOnce), { pool, table, rooms }))
      return vectors
    },
    rowsOf(text) {
      check(text)
      rooms[0]!.put([text])
      alone.run(() => [['encode', table, rooms[0]!.at]])
      return rooms[0]!.rows(text.length)
    },
    async close() {
      await together?.close()
      together = undefined
    },
  }
}

type Computing = { readonly pool: WorkerPool; readonly table: number; readonly rooms: readonly Room[] }

/** At most {@link textsAtOnce} texts a thread, so that each has about as many tokens as the others. */
function encodeSome(
  texts: readonly (readonly number[])[],
  { pool, table, rooms }: Computing,
): readonly Float32Array[] {
  const shares = fairShares(texts, pool.size)
  shares.forEach((share, thread) => {
    rooms[thread]!.put(share.map((text) => texts[text]!))
  })
  pool.run((thread): readonly KernelCall[] =>
    shares[thread]!.length === 0 ? [] : [['encode', table, rooms[thread]!.at]],
  )
  const vectors = new Array<Float32Array>(texts.length)
  shares.forEach((share, thread) => {
    share.forEach((text, place) => {
      vectors[text] = rooms[thread]!.vector(place)
    })
  })
  return vectors
}

/** The longest text goes first, each to who has least. */
function fairShares(texts: readonly (readonly number[])[], threads: number): readonly (readonly number[])[] {
  if (threads === 1) return [[...texts.keys()]]
  const shares = Array.from({ length: threads }, () => ({ texts: [] as number[], tokens: 0 }))
  const longestFirst = [...texts.keys()].sort((a, b) => texts[b]!.length - texts[a]!.length || a - b)
  for (const text of longestFirst) {
    const open = shares.filter((share) => share.texts.length < textsAtOnce)
    const least = open.reduce((best, share) => (share.tokens < best.tokens ? share : best))
    least.texts.push(text)
    least.tokens += texts[text]!.length
  }
  return shares.map((share) => share.texts)
}
