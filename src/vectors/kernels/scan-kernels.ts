import { wasm } from './dense-scan.wasm.ts'
import { opensKernels } from './web-assembly.ts'

/** What a look through all rows is asked. */
type Asked = readonly [
  query: number,
  heads: number,
  scales: number,
  admitted: number,
  count: number,
  values: number,
  unit: number,
]

/** The same of a look for rows above a bar. */
type AskedAbove = readonly [
  ...Asked,
  reach: number,
  reaches: number,
  bar: number,
  out: number,
  scratch: number,
]

/** What the score of a row is made of. */
type Scored = readonly [
  query: number,
  heads: number,
  head: number,
  tails: number,
  tail: number,
  scales: number,
  unit: number,
]

/** The inner loops of a search; pointers are byte offsets. */
export type ScanKernels = {
  scan(...of: [...Asked, out: number]): void
  bound(...of: [...Asked, reach: number, reaches: number, sums: number, out: number]): void
  above(...of: AskedAbove): number
  aboveBoth(
    ...of: [...AskedAbove, query: number, unit: number, reach: number, bar: number, out: number]
  ): void
  kept(found: number, count: number, ...of: [...Scored, bar: number, out: number]): number
  one(row: number, ...of: Scored): number
  finish(
    list: number,
    count: number,
    query: number,
    tails: number,
    scales: number,
    values: number,
    unit: number,
    sums: number,
    out: number,
  ): void
  clear(from: number, bytes: number): void
  addUp(rows: number, impacts: number, count: number, weight: number, scores: number): void
  atLeast(scores: number, count: number, bar: number, out: number): number
}

/** Over one memory. */
export const scanKernels = opensKernels<ScanKernels>(wasm)
