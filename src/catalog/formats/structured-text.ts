import type { JsonValue } from '../../domain/json.ts'
import { isNestedTooDeep } from './json-depth.ts'
import { pythonLiteral } from './python-literal.ts'

/** How often a value may have been written as text again. */
const mostTimes = 4

/**
 * The value that a text is written of: JSON, JSON written as a string of JSON again, or a Python literal. Published tables hold
 * nested values in all of these forms.
 *
 * @returns undefined when the text is no object or list in any of them
 */
export function structuredText(text: string): JsonValue | undefined {
  let value: JsonValue | undefined = text
  for (let times = 0; times < mostTimes && typeof value === 'string'; times += 1) value = parsed(value.trim())
  return typeof value === 'object' && value !== null ? value : undefined
}

function parsed(text: string): JsonValue | undefined {
  if (!/^[[{("']/.test(text) || isNestedTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return pythonLiteral(text)
  }
}
