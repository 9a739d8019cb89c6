import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { bytesOf, type SharedBytes, sharedBytes, type WasmMemory } from './kernels/web-assembly.ts'

/** Gives the bytes of a file of weights, which nobody changes. Whoever reads them may be another thread. */
export type ReadWeights = (file: string) => Promise<SharedBytes>

/** By file and version of it, for as long as somebody in this thread uses them. */
const held = new Map<string, WeakRef<WasmMemory>>()

/**
 * Reads a file into memory that threads share, unless it is there.
 *
 * @throws Error of the file system when it cannot be read
 */
export const readWeights: ReadWeights = async (file) => {
  const handle = openSync(file, 'r')
  try {
    const { weights, isNew, keep } = memoryFor(file, handle)
    if (!isNew) return weights
    // In one piece by one thread: whatever the caller does meanwhile does not hold it up.
    const { bytesRead } = await promisify(read)(handle, bytesOf(weights), 0, weights.size, 0)
    keep()
    return { ...weights, size: bytesRead }
  } finally {
    closeSync(handle)
  }
}

/** As {@link readWeights}, for callers that cannot wait. */
export function readWeightsNow(file: string): SharedBytes {
  const handle = openSync(file, 'r')
  try {
    const { weights, isNew, keep } = memoryFor(file, handle)
    if (!isNew) return weights
    const size = readSync(handle, bytesOf(weights), 0, weights.size, 0)
    keep()
    return { ...weights, size }
  } finally {
    closeSync(handle)
  }
}

/** The memory that holds this version of a file, or a new one for it, which is found by others once it is kept. */
function memoryFor(file: string, handle: number) {
  const { size, ino, mtimeMs } = fstatSync(handle)
  const key = `${file} ${size} ${ino} ${mtimeMs}`
  const known = held.get(key)?.deref()
  const weights = known ? { memory: known, size } : sharedBytes(size)
  return { weights, isNew: !known, keep: () => void held.set(key, new WeakRef(weights.memory)) }
}
