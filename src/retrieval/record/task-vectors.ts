import { growingColumn } from './growing-columns.ts'
import { type TaskComparison, taskComparison } from './task-comparison.ts'
import { foldText } from '../../domain/text/word-rules.ts'

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
