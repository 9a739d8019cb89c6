import type { JsonValue } from '../json.ts'
import { visible } from './printable.ts'

/**
 * The value with every text in it masked, keys as well.
 *
 * @param deepest - levels below which nothing is kept but null
 */
export function maskedJson(value: JsonValue, mask: (text: string) => string, deepest = 200): JsonValue {
  if (typeof value === 'string') return mask(value)
  if (typeof value !== 'object' || value === null) return value
  if (deepest < 0) return null
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskedJson(item, mask, deepest - 1))
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([key, item]) => [mask(key), maskedJson(item, mask, deepest - 1)]))
}

/**
 * The same for a mask that finds in many texts, joined by a line break, whatever it finds in one of them. Large values mostly hold nothing
 * to mask, and that is seen at once.
 */
export function maskedWhole(value: JsonValue, mask: (text: string) => string): JsonValue {
  const texts: string[] = []
  const copy = maskedJson(value, (text) => {
    texts.push(text)
    return text
  })
  const joined = texts.join('\n')
  return mask(joined) === joined ? copy : maskedJson(value, mask)
}

/** The value with every text in it, names too, as it may be shown. */
export const visibleJson = (value: JsonValue): JsonValue => maskedJson(value, visible, 500)
