import type { z } from 'zod'
import { oneLine, quoted, quotedList } from './text.ts'
import { longestName } from './schemas.ts'

/** Arguments that cannot be met. The message tells a model what to call instead. */
export class Mistake extends Error {
  override readonly name = 'Mistake'
}

type Described = { readonly name: string; readonly input: z.ZodObject }

/** What is wrong with a call's arguments, and a call that is right. */
export const argumentMistakes = (
  tool: Described & { readonly example: unknown },
  given: unknown,
  error: z.ZodError,
): string => `${wrongArguments(tool, given, error)} Example: ${tool.name} ${JSON.stringify(tool.example)}`

/** What is wrong with a call's arguments, in a sentence for each. */
export function wrongArguments(tool: Described, given: unknown, error: z.ZodError): string {
  const first = new Map<string, z.core.$ZodIssue>()
  for (const issue of error.issues) {
    const field = fieldOf(issue.path)
    if (!first.has(field)) first.set(field, issue)
  }
  const wrongs = [...first.values()].slice(0, 5).map((issue) => wrongOf(issue, tool, given))
  return wrongs.join(' ')
}

function wrongOf(issue: z.core.$ZodIssue, tool: Described, given: unknown): string {
  const names = Object.keys(tool.input.shape)
  if (issue.code === 'unrecognized_keys') {
    const unknown = quotedList(issue.keys, 5)
    return `${tool.name} has no argument ${unknown}. It takes ${names.join(', ')}.`
  }
  const field = fieldOf(issue.path)
  if (field === '') return `${tool.name} takes an object with ${names.join(', ')}.`
  const value = valueAt(given, issue.path)
  if (value === undefined) return `"${field}" is missing: ${meaningOf(tool, issue.path)}`
  return `"${field}" is ${shown(value)} but must be ${demandOf(issue)}.`
}

function demandOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wordOf(issue.expected)
    case 'too_small':
      if (issue.origin === 'string') return 'a text that is not empty'
      return issue.origin === 'array' ? `a list of at least ${issue.minimum}` : `at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string') return `a text of at most ${issue.maximum} characters`
      return issue.origin === 'array' ? `a list of at most ${issue.maximum}` : `at most ${issue.maximum}`
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    default:
      return `right (${oneLine(issue.message, 120)})`
  }
}

const wordOf = (type: string): string => {
  const word = type === 'int' ? 'integer' : type === 'record' ? 'object' : type
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('')

/** The description of the argument at the start of a path. */
function meaningOf(tool: Described, path: readonly PropertyKey[]): string {
  const schema = (tool.input.shape as Record<string, z.ZodType | undefined>)[String(path[0])]
  return schema?.description ?? 'it is required.'
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

const shown = (value: unknown): string => {
  if (typeof value === 'string')
    return value.length > longestName ? `a text of ${value.length} characters` : quoted(value, 40)
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? `a list of ${value.length}` : 'an object'
  return String(value)
}
