/** What a tool replies: a sentence, and where it has one the same as a value. */
export type Reply = { readonly text: string; readonly structured?: Fields }
export type Fields = { readonly [field: string]: unknown }

/** A number or a text inside an answer, at any depth. */
export type Leaf = number | string

/**
 * Changes numbers and texts of an answer, and the same ones where the sentence tells them, so that value and sentence
 * agree as those of an honest tool do.
 *
 * @param change - the new value, or the old one to keep it
 */
export function changeLeaves({ text, structured = {} }: Reply, change: (leaf: Leaf) => Leaf): Reply {
  const replies = new Map<string, string>()
  const changed = mapLeaves(structured, (leaf) => {
    const now = change(leaf)
    if (now !== leaf) replies.set(keyOf(String(leaf)), String(now))
    return now
  })
  // A sentence that is a text of the value, a table for example, changes with that text alone.
  const isValue = Object.values(structured).includes(text)
  return {
    text: isValue ? (replies.get(text) ?? text) : retold(text, replies),
    structured: changed as Fields,
  }
}

function mapLeaves(value: unknown, change: (leaf: Leaf) => Leaf): unknown {
  if (typeof value === 'number' || typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLeaves(item, change)]))
}

/** Dates with or without a time first: the numbers inside them are no numbers of their own. */
const tokens = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?|(?<![\w.])-?\d+(?:\.\d+)?/g

const retold = (text: string, replies: ReadonlyMap<string, string>): string =>
  text.replace(tokens, (token) => replies.get(keyOf(token)) ?? token)

/** 1234.50 in a sentence is the 1234.5 of the value. */
const keyOf = (token: string): string => (/^-?\d+\.\d*0$/.test(token) ? String(Number(token)) : token)
