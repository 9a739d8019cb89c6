import { wasm } from './dense-scan.wasm.ts'
import { opensKernels } from './web-assembly.ts'

/** The inner loops of a search. Pointers are byte offsets; `rows` and `query` are those of blocks of arguments. */
export type ScanKernels = {
  scan(rows: number, query: number): void
  bound(rows: number, query: number): void
  above(rows: number, query: number, scratch: number): number
  aboveBoth(rows: number, query: number, other: number, scratch: number): void
  kept(rows: number, query: number, count: number): number
  one(
    row: number,
    query: number,
    heads: number,
    head: number,
    tails: number,
    tail: number,
    scales: number,
    unit: number,
  ): number
  finish(rows: number, query: number, count: number): void
  clear(from: number, bytes: number): void
  addUp(rows: number, impacts: number, count: number, weight: number, scores: number): void
  atLeast(scores: number, count: number, bar: number, out: number): number
}

/** Over one memory. */
export const scanKernels = opensKernels<ScanKernels>(wasm)
