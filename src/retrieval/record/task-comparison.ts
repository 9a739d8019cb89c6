import { type DenseScan, scanMemory } from '../../vectors/kernels/dense-scan.ts'
import { quantisedQuery } from '../index/exact-nearest.ts'
import { rowShape } from '../index/quantised-vectors.ts'

/**
 * Compares tasks with a need.
 *
 * @param tasks - their numbers; more than once is allowed
 * @returns for each the best cosine with the need's texts, -1..1: 1 for the same text, 0 without a vector. Written anew by the next call
 */
export type TaskComparison = (tasks: ArrayLike<number>) => Float32Array

/** What tasks are compared with, and where their vectors lie. */
type ComparedTasks = {
  /** How many there are. */
  readonly tasks: number
  readonly isSame: (task: number) => boolean
  /** Of the need, unit length; their length is that of the tasks' vectors. */
  readonly vectors: readonly Float32Array[]
  /** Where a task's vector begins in `rows`, -1 without one. */
  readonly rowOf: (task: number) => number
  readonly rows: Int8Array
  /** One over the length of each task's vector. */
  readonly inverses: Float32Array
}

/** Tasks that are compared at once: as many as are read of a card. */
const atOnce = 32

/** Rows and their scales, to be filled and scanned. */
type CosineBuffer = {
  readonly dimensions: number
  readonly scan: DenseScan
  readonly rows: Int8Array
  readonly scales: Float32Array
  readonly values: number
}

/** The rows are looked at whole. */
const none = new Int8Array(0)

/** Of the dimensions that were compared last: there is one model in a process. */
let cosines: CosineBuffer | undefined

function bufferOf(dimensions: number): CosineBuffer {
  if (cosines?.dimensions === dimensions) return cosines
  const shape = rowShape(atOnce, dimensions)
  const size = shape.rows * shape.values
  const scan = scanMemory(size + 4 * shape.rows).open(shape)
  const { buffer, byteOffset } = scan.bytes
  cosines = {
    ...{ dimensions, scan, values: shape.values },
    rows: new Int8Array(buffer, byteOffset, size),
    scales: new Float32Array(buffer, byteOffset + size, shape.rows),
  }
  return cosines
}

/** A task is on the record of many candidates: each is compared once, when it is first asked for. */
export function taskComparison({
  tasks: count,
  isSame,
  vectors,
  rowOf,
  rows,
  inverses,
}: ComparedTasks): TaskComparison {
  const dimensions = vectors[0]?.length ?? 0
  const room = vectors.length === 0 ? null : bufferOf(dimensions)
  const queries = vectors.map((vector) => quantisedQuery(vector, room!.values))
  const known = new Float32Array(count).fill(Number.NaN)
  const waiting = new Int32Array(atOnce)
  let waits = 0
  let cosines = new Float32Array(atOnce)

  const compareWaiting = (): void => {
    if (room === null || waits === 0) return
    const { scan, rows: placed, scales, values } = room
    for (let place = 0; place < waits; place += 1) {
      const task = waiting[place]!
      const start = rowOf(task)
      placed.set(rows.subarray(start, start + dimensions), place * values)
      scales[place] = inverses[task]!
      known[task] = Number.NEGATIVE_INFINITY
    }
    for (const { query, unit } of queries) {
      const { atMost: scores } = scan.scores({
        query,
        unit,
        heads: placed,
        tails: none,
        scales,
        reaches: scales,
        admitted: null,
      })
      for (let place = 0; place < waits; place += 1) {
        const task = waiting[place]!
        if (scores[place]! > known[task]!) known[task] = scores[place]!
      }
    }
    waits = 0
  }

  return (tasks) => {
    for (let place = 0; place < tasks.length; place += 1) {
      const task = tasks[place]!
      if (!Number.isNaN(known[task]!)) continue
      known[task] = isSame(task) ? 1 : 0
      if (known[task] === 1 || room === null || rowOf(task) < 0) continue
      waiting[waits] = task
      waits += 1
      if (waits === atOnce) compareWaiting()
    }
    compareWaiting()
    if (tasks.length > cosines.length) cosines = new Float32Array(tasks.length)
    for (let place = 0; place < tasks.length; place += 1) cosines[place] = known[tasks[place]!]!
    return cosines
  }
}
