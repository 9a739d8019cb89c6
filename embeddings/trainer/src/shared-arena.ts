import { pageBytes, type WasmMemory, webAssembly } from '../../../src/vectors/kernels/web-assembly.ts'

const alignment = 64

/** One growing memory that threads share. Pieces are handed out once and never taken back. */
export type SharedArena = {
  readonly memory: WasmMemory
  /** Byte offset of `count` zeroed 32-bit values (or bytes), aligned to a cache line. */
  take(count: number, bytesEach?: 1 | 4): number
  f32(offset: number, count: number): Float32Array
  u32(offset: number, count: number): Uint32Array
  u8(offset: number, count: number): Uint8Array
}

/** @param capacity - bytes that may be taken in all; at most 4 GiB */
export function sharedArena(capacity: number): SharedArena {
  const pages = Math.ceil(capacity / pageBytes) + 1
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  // The first page stays free: compiled modules may keep constants there.
  let top = pageBytes
  return {
    memory,
    take(count, bytesEach = 4) {
      const at = top
      top = Math.ceil((top + count * bytesEach) / alignment) * alignment
      if (top > pages * pageBytes)
        throw new RangeError('The shared memory is full: its capacity was reckoned too small.')
      return at
    },
    f32: (offset, count) => new Float32Array(memory.buffer, offset, count),
    u32: (offset, count) => new Uint32Array(memory.buffer, offset, count),
    u8: (offset, count) => new Uint8Array(memory.buffer, offset, count),
  }
}
