import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/**
 * Longest need in plain words, in characters (UTF-16 units): as much as a search reads. Each character costs time in
 * every search; more of them tell a search nothing.
 */
export const longestNeed = 8_000
/** Longest id or name. A card's id has about 400 characters at most; looking for its like takes longer the longer it is. */
export const longestName = 512
/** Largest request body, in bytes: a need has up to 8,000 characters. */
export const largestBody = 1024 * 1024

/** A need in plain words of any length, of which no more is read than {@link longestNeed}. */
export const anyNeedText = () => z.string().trim().min(1)

/** A need in plain words. */
export const needText = () => anyNeedText().max(longestNeed)

/** An id or a name. Its longest length is checked, not listed: no host comes near it, and the list is paid for by all. */
export const nameText = () =>
  z
    .string()
    .min(1)
    .check(({ value, issues }) => {
      if (value.length <= longestName) return
      issues.push({ code: 'too_big', origin: 'string', maximum: longestName, inclusive: true, input: value })
    })

/** Limits beyond these are not listed: of how many items a list has, and of a number. */
const telling = { items: 5, number: 1_000, least: 200 }

/**
 * The JSON Schema of a tool's arguments or answer, as `tools/list` shows it: every host pays for it in every session. The
 * dialect is the protocol's own (2020-12). What a call is checked by besides is left out as far as nobody comes near it,
 * such as the longest text: a mistake is answered with what is right.
 */
export function listedSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as JsonObject
  return lean(listed)
}

function lean(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword, value]) => !isIdle(keyword, value))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, inner(keyword, value)]))
}

function isIdle(keyword: string, value: JsonValue): boolean {
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
    case 'propertyNames':
      return true
    case 'additionalProperties':
      return isJsonObject(value) && Object.keys(value).length === 0
    case 'maxItems':
      return typeof value === 'number' && value > telling.items
    case 'maximum':
      return typeof value === 'number' && value > telling.number
    case 'minimum':
      return typeof value === 'number' && value <= telling.least
    default:
      return false
  }
}

function inner(keyword: string, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  if (keyword !== 'properties') return keyword === 'default' ? value : lean(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [
      name,
      isJsonObject(property) ? lean(property) : property,
    ]),
  )
}
