/** What JSON can carry. */
type Value = string | number | boolean | null | readonly Value[] | Fields
type Fields = { readonly [name: string]: Value }

/** A task for a tool, its arguments, and what a right answer holds: at a path (RFC 9535) of its structured part. */
type KnownTask = {
  readonly text: string
  readonly arguments: Fields
  readonly reference: {
    readonly kind: 'json-path'
    readonly path: string
    readonly value: Value
    readonly tolerance?: number
  }
}

/** Draws that the caller's seed determines. */
export type Draws = {
  /** Integer of least..most, both included. */
  whole(least: number, most: number): number
  /** A number of least..most with so many decimals. */
  decimal(least: number, most: number, decimals: number): number
  pick<Item>(items: readonly Item[]): Item
  /** So many different entries of a list, in the order of the list. */
  some<Item>(items: readonly Item[], count: number): readonly Item[]
  shuffled<Item>(items: readonly Item[]): readonly Item[]
}

/**
 * Makes tasks for one tool whose answers are known without asking it: by construction, by another method than the tool's, or from a
 * published table.
 */
export type AnswerKey = { readonly tool: string; readonly draw: (random: Draws) => KnownTask }

/**
 * A task whose answer has these values in fields of its structured part.
 *
 * @param expected - by field name, or by JSON path where a name begins with `$`; then it is the only one
 * @param tolerance - absolute, for all numbers
 */
export function known(text: string, given: Fields, expected: Fields, tolerance?: number): KnownTask {
  const entries = Object.entries(expected)
  const [[first, only] = ['', null]] = entries
  const path = first.startsWith('$') ? first : `$[${entries.map(([name]) => `'${name}'`).join(',')}]`
  const value: Value = entries.length === 1 ? only : entries.map(([, wanted]) => wanted)
  const reference = {
    kind: 'json-path',
    path,
    value,
    ...(tolerance === undefined ? {} : { tolerance }),
  } as const
  return { text, arguments: given, reference }
}
