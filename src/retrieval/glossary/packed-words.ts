import { type TokenTable, tokenTable } from '../../domain/text/token-table.ts'

/** Words that are told from others. */
export type WordSet = Pick<ReadonlySet<string>, 'has' | 'size'> & Iterable<string>

/** Words end to end: a set takes four times the memory, and keeps the text that they were cut from. */
export function packedSet(words: Iterable<string>): WordSet {
  const table = tableOf(words)
  return {
    size: table.size,
    has: (word) => placeIn(table, word) >= 0,
    *[Symbol.iterator]() {
      for (let place = 0; place < table.size; place += 1) yield table.at(place)
    },
  }
}

/** Forms, and a list of words for each. */
export type PackedLists = {
  readonly size: number
  /** Place of a form, or -1. */
  placeOf(form: string): number
  form(place: number): string
  list(place: number): readonly string[]
}

/** A map of lists as numbers, a seventh of its size. */
export function packedLists(lists: ReadonlyMap<string, readonly string[]>): PackedLists {
  const entries = [...lists].filter(([form]) => form !== '')
  const forms = tokenTable(entries.map(([form]) => form))
  const numbers = new Map<string, number>()
  const ends = new Uint32Array(forms.size + 1)
  const listed: number[] = []
  // No closures here: what is returned would keep all that they use.
  for (const [place, [, list]] of entries.entries()) {
    for (const word of list) {
      if (!numbers.has(word)) numbers.set(word, numbers.size)
      listed.push(numbers.get(word)!)
    }
    ends[place + 1] = listed.length
  }
  const words = tokenTable([...numbers.keys()])
  const places = Uint32Array.from(listed)
  return {
    size: forms.size,
    placeOf: (form) => placeIn(forms, form),
    form: forms.at,
    list: (place) => Array.from(places.subarray(ends[place], ends[place + 1]), words.at),
  }
}

/** Places by string; of a string that comes again the first counts. @returns -1 for an unknown one */
export function packedPlaces(entries: readonly (readonly [string, number])[]): (text: string) => number {
  const places = new Map(entries.filter(([text]) => text !== '').toReversed())
  const table = tableOf(places.keys())
  const values = Uint32Array.from(places.values())
  return (text) => values[placeIn(table, text)] ?? -1
}

const tableOf = (words: Iterable<string>): TokenTable =>
  tokenTable([...new Set(words)].filter((word) => word !== ''))

const placeIn = (table: TokenTable, word: string): number => table.indexOf(word, 0, word.length)
