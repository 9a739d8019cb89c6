import type { Checkpoint } from '../checkpoint.ts'
import type { AskedQuery, GradedQuery } from './ranked-corpus.ts'

/** Rows of a fold as a checkpoint keeps them. */
export function packRows(queries: readonly GradedQuery[]): Checkpoint {
  return {
    facts: { asked: queries.map(({ asked }) => asked) },
    arrays: {
      features: joined(queries.map(({ features }) => features)),
      grades: joined(queries.map(({ grades }) => grades)),
      counts: Float32Array.from(queries, ({ grades }) => grades.length),
      absent: joined(queries.map(({ absent }) => absent)),
      absentCounts: Float32Array.from(queries, ({ absent }) => absent.length),
    },
  }
}

export function unpackRows({ facts, arrays }: Checkpoint): readonly GradedQuery[] {
  const { features, grades, counts, absent, absentCounts } = arrays
  const asked = facts.asked as readonly AskedQuery[] | undefined
  if (!asked || !features || !grades || !counts || !absent || !absentCounts)
    throw new Error('This checkpoint holds no rows.')
  const width = features.length / Math.max(1, grades.length)
  let at = 0
  let absentAt = 0
  return Array.from(counts, (count, place) => {
    const [start, absentStart] = [at, absentAt]
    at += count
    absentAt += absentCounts[place]!
    return {
      asked: asked[place]!,
      features: features.subarray(start * width, at * width),
      grades: grades.subarray(start, at),
      absent: absent.subarray(absentStart, absentAt),
    }
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
