import type { Checkpoint } from '../checkpoint.ts'
import type { GradedQuery } from './ranked-corpus.ts'

/** Rows of a fold as a checkpoint keeps them. */
export function packRows(queries: readonly GradedQuery[]): Checkpoint {
  return {
    facts: {},
    arrays: {
      features: joined(queries.map(({ features }) => features)),
      grades: joined(queries.map(({ grades }) => grades)),
      counts: Float32Array.from(queries, ({ grades }) => grades.length),
    },
  }
}

export function unpackRows({ arrays }: Checkpoint): readonly GradedQuery[] {
  const { features, grades, counts } = arrays
  if (features === undefined || grades === undefined || counts === undefined)
    throw new Error('This checkpoint holds no rows.')
  const width = features.length / Math.max(1, grades.length)
  let at = 0
  return Array.from(counts, (count) => {
    const start = at
    at += count
    return { features: features.subarray(start * width, at * width), grades: grades.subarray(start, at) }
  })
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
