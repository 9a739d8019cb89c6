import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** Vectors by text, in memory and in a file: whoever opens it again finds them. */
export type KeptVectors = {
  get(text: string): Float32Array | undefined
  add(text: string, vector: Float32Array): void
  close(): void
}

const keyBytes = 16
/** Vectors that are written together; so many are lost where a process ends at once. */
const writtenAtOnce = 64
/** Records that are read together. */
const readAtOnce = 4096

/**
 * @param dimensions - of all vectors
 * @param file - records of a text's hash and its vector, one after the other; one that was cut off is given up
 */
export function keptVectors(file: string, dimensions: number): KeptVectors {
  const size = keyBytes + 4 * dimensions
  const handle = openSync(file, 'a+')
  const known = readAll(handle, size)
  const waiting: Buffer[] = []
  const write = (): void => {
    if (waiting.length > 0) writeSync(handle, Buffer.concat(waiting.splice(0)))
  }
  return {
    get: (text) => known.get(keyOf(text).toString('latin1')),
    add(text, vector) {
      const key = keyOf(text)
      known.set(key.toString('latin1'), vector)
      waiting.push(Buffer.concat([key, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]))
      if (waiting.length >= writtenAtOnce) write()
    },
    close() {
      write()
      closeSync(handle)
    },
  }
}

const keyOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, keyBytes)

function readAll(handle: number, size: number): Map<string, Float32Array> {
  const records = Math.floor(fstatSync(handle).size / size)
  ftruncateSync(handle, records * size)
  const known = new Map<string, Float32Array>()
  const buffer = Buffer.alloc(size * readAtOnce)
  for (let from = 0; from < records; from += readAtOnce) {
    const count = Math.min(readAtOnce, records - from)
    readSync(handle, buffer, 0, count * size, from * size)
    for (let at = 0; at < count; at += 1) {
      const record = buffer.subarray(at * size, (at + 1) * size)
      const values = Uint8Array.from(record.subarray(keyBytes))
      known.set(record.toString('latin1', 0, keyBytes), new Float32Array(values.buffer))
    }
  }
  return known
}
