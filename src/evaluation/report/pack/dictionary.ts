/** Texts with a number each, so that columns hold numbers. */
export type Dictionary = {
  /** In the order of their code units: neighbours share their beginnings. */
  readonly texts: readonly string[]
  /** The number of a text that is in the dictionary. */
  numberOf(text: string): number
}

/** The distinct texts of `texts`, numbered from 0. */
export function dictionaryOf(texts: Iterable<string>): Dictionary {
  const sorted = [...new Set(texts)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const numbers = new Map(sorted.map((text, number) => [text, number]))
  return {
    texts: sorted,
    numberOf(text) {
      const number = numbers.get(text)
      if (number === undefined) throw new Error(`The dictionary has no "${text}".`)
      return number
    },
  }
}
