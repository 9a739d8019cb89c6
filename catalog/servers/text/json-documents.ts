import { InputError } from '../shared/input-error.ts'
import { faultPosition } from './json-fault.ts'

type Json = unknown

/** Where JSON ceases to be JSON, line and column from 1. */
export type JsonCheck =
  | { readonly valid: true; readonly type: string; readonly size: number }
  | { readonly valid: false; readonly message: string; readonly line: number; readonly column: number }

/** Whether a text is JSON, and if not, where and why. `size` counts items or fields; 1 for a single value. */
export function validateJson(text: string): JsonCheck {
  try {
    const value: Json = JSON.parse(text)
    return { valid: true, type: typeOf(value), size: sizeOf(value) }
  } catch {
    const at = faultPosition(text)
    const before = text.slice(0, at).split('\n')
    const found =
      at < text.length ? `"${[...text.slice(at)][0]}" does not belong here` : 'the text ends too early'
    return { valid: false, message: found, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
}

/** Parses or explains. @throws InputError with line and column */
export function readJson(text: string, field: string): Json {
  const check = validateJson(text)
  if (check.valid) return JSON.parse(text)
  throw new InputError(
    `"${field}" is no JSON: line ${check.line}, column ${check.column}: ${check.message}. ` +
      'Send JSON with double quotes and without comments or trailing commas.',
  )
}

/**
 * The value a JSON Pointer leads to: `/orders/0/total`; an empty pointer means the whole document.
 *
 * @see RFC 6901
 * @throws InputError that says how far the path leads and what there is
 */
export function valueAt(document: Json, pointer: string): Json {
  if (pointer === '') return document
  if (!pointer.startsWith('/')) {
    throw new InputError(
      `"pointer": "${pointer}" does not begin with "/". Send for example "/orders/0/total".`,
    )
  }
  let value = document
  let walked = ''
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = childOf(value, key)
    if (next === undefined) {
      throw new InputError(
        `"pointer": ${walked || 'the document'} has nothing at "${key}". Send one of: ${keysOf(value)}.`,
      )
    }
    value = next.child
    walked += `/${step}`
  }
  return value
}

/** Merges a patch into a document: fields are replaced or added, null removes. @see RFC 7396 */
export function mergeJson(document: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(document) ? Object.entries(document) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergeJson(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

/** What kind of JSON value it is. */
export const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const isObject = (value: Json): value is { readonly [key: string]: Json } => typeOf(value) === 'object'

const sizeOf = (value: Json): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1

function childOf(value: Json, key: string): { readonly child: Json } | undefined {
  if (Array.isArray(value)) {
    return /^(0|[1-9]\d*)$/.test(key) && Number(key) < value.length
      ? { child: value[Number(key)] }
      : undefined
  }
  return isObject(value) && Object.hasOwn(value, key) ? { child: value[key] } : undefined
}

function keysOf(value: Json): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing, the list is empty' : `0 to ${value.length - 1}`
  if (!isObject(value)) return `nothing, this is a ${typeOf(value)}`
  const keys = Object.keys(value)
  return keys.length === 0 ? 'nothing, the object is empty' : keys.slice(0, 20).join(', ')
}
