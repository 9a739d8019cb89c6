import type { WasmMemory } from './web-assembly.ts'

/** Where arguments of a kernel lie in memory: made modules write them, and the kernel is given their address. */
export type ArgumentBlock = {
  /** The first byte. */
  readonly at: number
  /** What lies there, as whole numbers and as 32-bit floats. */
  readonly whole: Uint32Array
  readonly real: Float32Array
}

/** From one block to the next: a cache line. */
export const blockBytes = 64

/** @param at - a multiple of {@link blockBytes}, in room of this thread's own */
export const argumentBlock = ({ buffer }: WasmMemory, at: number): ArgumentBlock => ({
  at,
  whole: new Uint32Array(buffer, at, blockBytes / 4),
  real: new Float32Array(buffer, at, blockBytes / 4),
})
