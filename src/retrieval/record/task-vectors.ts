import { foldText } from '../../domain/text/word-rules.ts'
import { type DenseScan, scanMemory } from '../../vectors/kernels/dense-scan.ts'
import { quantisedQuery } from '../index/exact-nearest.ts'
import { rowShape } from '../index/quantised-vectors.ts'

type GrowingColumn<Values> = {
  /** Longer than what was added; after an addition it may be another array. */
  readonly values: Values
  /** @returns where it stands */
  push(value: number): number
  /** @returns where the first of them stands */
  pushAll(added: ArrayLike<number>): number
}

type NumberArray = Int8Array | Uint8Array | Int32Array | Float32Array | Float64Array

/** @param make - an array of a length, all zero */
export function growingColumn<Values extends NumberArray>(
  make: (length: number) => Values,
): GrowingColumn<Values> {
  let values = make(64)
  let length = 0
  const room = (more: number): void => {
    if (length + more <= values.length) return
    const larger = make(Math.max(2 * values.length, length + more))
    larger.set(values)
    values = larger
  }
  return {
    get values() {
      return values
    },
    push(value) {
      room(1)
      values[length] = value
      length += 1
      return length - 1
    },
    pushAll(added) {
      room(added.length)
      values.set(added, length)
      length += added.length
      return length - added.length
    },
  }
}

/** A vector in 8 bits: the largest magnitude is 127. Its length is of no account, only cosines are taken. */
export function quantisedTask(vector: Float32Array): Int8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const quantised = new Int8Array(vector.length)
  if (!(largest > 0 && Number.isFinite(largest))) return quantised
  const scale = 127 / largest
  for (let at = 0; at < vector.length; at += 1) quantised[at] = Math.round(scale * vector[at]!)
  return quantised
}

/** A need that tasks are compared with: its texts (the whole, and its steps), and their unit vectors if there are any. */
export type TaskNeed = { readonly texts: readonly string[]; readonly vectors: readonly Float32Array[] }

/** The distinct tasks of a record, each with its vector where it has one. */
export type TaskVectors = {
  readonly size: number
  /** The number of a task, a new one when it was not known. Tasks that differ by case and white space alone are one. */
  add(text: string, vector: Int8Array | null): number
  text(task: number): string
  /** Compares tasks with a need. */
  cosines(need: TaskNeed): TaskComparison
}

/** @param dimensions - of the vectors; a vector of another length is as none */
export function taskVectors(dimensions: number | null): TaskVectors {
  const numbers = new Map<string, number>()
  /** By the text as written, which spares most additions the spelling. */
  const asWritten = new Map<string, number>()
  const texts: string[] = []
  const rows = growingColumn((length) => new Int8Array(length))
  /** Where a task's vector begins in `rows`, -1 without one; and one over its length. */
  const starts = growingColumn((length) => new Int32Array(length))
  const inverses = growingColumn((length) => new Float32Array(length))

  const numbered = (text: string): number => {
    const key = foldText(text)
    let task = numbers.get(key)
    if (task === undefined) {
      task = texts.push(text) - 1
      numbers.set(key, task)
      starts.push(-1)
      inverses.push(0)
    }
    asWritten.set(text, task)
    return task
  }

  const keep = (task: number, vector: Int8Array | null): void => {
    if (vector === null || vector.length !== dimensions) return
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    if (length === 0) return
    starts.values[task] = rows.pushAll(vector)
    inverses.values[task] = 1 / length
  }

  return {
    get size() {
      return texts.length
    },
    add(text, vector) {
      const task = asWritten.get(text) ?? numbered(text)
      if (starts.values[task]! < 0) keep(task, vector)
      return task
    },
    text: (task) => texts[task]!,
    cosines(need) {
      const same = new Set(need.texts.map((text) => numbers.get(foldText(text))))
      const vectors = need.vectors.filter((vector) => vector.length === dimensions)
      return taskComparison({
        tasks: texts.length,
        isSame: (task) => same.has(task),
        vectors,
        rowOf: (task) => starts.values[task]!,
        rows: rows.values,
        inverses: inverses.values,
      })
    },
  }
}

/**
 * Compares tasks with a need.
 *
 * @param tasks - their numbers; more than once is allowed
 * @returns for each the best cosine with the need's texts, -1..1: 1 for the same text, 0 without a vector. Written anew by the next call
 */
type TaskComparison = (tasks: ArrayLike<number>) => Float32Array

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
    dimensions,
    scan,
    values: shape.values,
    rows: new Int8Array(buffer, byteOffset, size),
    scales: new Float32Array(buffer, byteOffset + size, shape.rows),
  }
  return cosines
}

/** A task is on the record of many candidates: each is compared once, when it is first asked for. */
function taskComparison({
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
