import type { JsonValue } from '../json.ts'

/** Deeper than this nothing is kept. */
const deepest = 200

/** The value with every text in it masked, keys as well. What nests deeper than 200 levels becomes null. */
export function maskedJson(value: JsonValue, mask: (text: string) => string, depth = 0): JsonValue {
  if (typeof value === 'string') return mask(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return null
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskedJson(item, mask, depth + 1))
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([key, item]) => [mask(key), maskedJson(item, mask, depth + 1)]))
}
