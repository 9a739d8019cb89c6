import { scanKernels } from './scan-kernels.ts'
import { aligned, roomIn, type SharedBytes } from './web-assembly.ts'

/** Postings of one term: views of the bytes that the sums were opened over. */
type Postings = {
  /** Numbers of documents, each once. */
  readonly documents: Uint32Array
  readonly impacts: Uint16Array
}

/** Sums by document, in single precision. */
export type PostingSums = {
  /** All sums are 0 again. */
  clear(): void
  /** Adds weight * impact to the sum of each document. */
  add(postings: Postings, weight: number): void
  readonly sums: Float32Array
  /** @returns the documents whose sum is `bar` or more, ascending. Written anew by the next call */
  reaching(bar: number): Uint32Array
}

/** Sums over postings among shared bytes, in room of this thread's own. @param documents - how many there are */
export function openPostingSums({ memory }: SharedBytes, documents: number): PostingSums {
  const rows = Math.ceil(documents / 4) * 4
  const listFrom = aligned(4 * rows)
  const sumsAt = roomIn(memory, listFrom + 4 * rows)
  const listAt = sumsAt + listFrom
  const kernels = scanKernels(memory)
  const sums = new Float32Array(memory.buffer, sumsAt, rows)
  const list = new Uint32Array(memory.buffer, listAt, rows)
  return {
    sums,
    // Filling shared memory from JavaScript takes several times as long.
    clear: () => kernels.clear(sumsAt, sums.byteLength),
    add({ documents: own, impacts }, weight) {
      kernels.addUp(own.byteOffset, impacts.byteOffset, own.length, weight, sumsAt)
    },
    reaching: (bar) => list.subarray(0, kernels.atLeast(sumsAt, rows, bar, listAt)),
  }
}
