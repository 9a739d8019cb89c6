/** Vectors of words learned elsewhere, the most frequent word first. */
export type WordVectors = {
  readonly dimensions: number
  /** Vectors of the most frequent words, `common` x `dimensions`, row-major: what all vectors have in common shows in them. */
  readonly frequent: Float32Array
  /** Vectors of the words that were asked for. */
  readonly ofWords: ReadonlyMap<string, Float32Array>
}

/** Frequent words that are kept to see what all vectors have in common. */
export const frequentWords = 50_000

/** Collects vectors one by one. */
export type WordVectorCollector = {
  /** @param values - of which the first `dimensions` count */
  add(word: string, values: ArrayLike<number>): void
  collected(): WordVectors
}

export function collectWordVectors(dimensions: number, wanted: ReadonlySet<string>): WordVectorCollector {
  const frequent: Float32Array[] = []
  const ofWords = new Map<string, Float32Array>()
  return {
    add(word, values) {
      const isWanted = wanted.has(word) && !ofWords.has(word)
      if (!isWanted && frequent.length >= frequentWords) return
      const vector = Float32Array.from({ length: dimensions }, (_, at) => values[at]!)
      if (frequent.length < frequentWords) frequent.push(vector)
      if (isWanted) ofWords.set(word, vector)
    },
    collected() {
      const rows = new Float32Array(frequent.length * dimensions)
      frequent.forEach((vector, row) => {
        rows.set(vector, row * dimensions)
      })
      return { dimensions, frequent: rows, ofWords }
    },
  }
}
