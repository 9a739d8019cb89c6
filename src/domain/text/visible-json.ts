import { withoutHidden } from './hidden.ts'
import type { JsonValue } from '../json.ts'

/** Deeper than anything that we answer. */
const deepest = 500

/** The value with every text in it, names too, as it may be shown: see `hidden.ts`. */
export function visibleJson(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return withoutHidden(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return null
  if (Array.isArray(value)) return value.map((inner: JsonValue) => visibleJson(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [withoutHidden(name), visibleJson(inner, depth + 1)]),
  )
}
