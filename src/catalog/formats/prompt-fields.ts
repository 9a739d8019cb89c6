import type { Backbone, ToolReference } from '../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { isSecretName, maskSecrets } from '../../domain/text/secrets.ts'
import { textOf } from './published-fields.ts'
import { splitAtCommas } from './split-at-commas.ts'

/** Longer extras are prose that belongs to the prompt, not details for a person to glance at. */
const longestDetail = 300

/** A word or number of front matter as text: YAML reads a name such as `404` as a number. */
export const scalarText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value)

/**
 * The tools that front matter lists: comma-separated text or a YAML list.
 *
 * @returns each once, as published; empty when all tools are allowed (`*`) or none is listed
 */
export function toolsOf(published: unknown): readonly ToolReference[] {
  const listed = (Array.isArray(published) ? published : [published]).flatMap((entry) =>
    namesIn(textOf(entry)),
  )
  return [...new Set(listed)]
    .filter((name) => !/^(?:\*|all(?: tools)?)$/i.test(name))
    .map((name) => ({ name }))
}

/** Splits at commas outside parentheses: `Read, Bash(git add, git commit)` are two tools. */
const namesIn = (text: string): string[] =>
  splitAtCommas(text.replace(/^\[(.*)\]$/s, '$1'), '()')
    .map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((name) => name !== '')

/**
 * The model an agent names.
 *
 * @returns null when it names none, or whatever its host runs on (`inherit`)
 */
export function backboneOf(published: unknown): Backbone | null {
  const model = textOf(Array.isArray(published) ? published[0] : published)
  if (model === '' || /^(?:inherit|default|auto)$/i.test(model)) return null
  // An alias such as "sonnet" is a name; a provider's id has a version or a path.
  return /[\d/]/.test(model) && !/\s/.test(model) ? { name: model, id: model } : { name: model }
}

/** The words and numbers among further fields, as details; what keeps secrets by its name is left out. */
export function detailsBeside(
  fields: JsonObject,
  known: readonly string[],
): { readonly [name: string]: string } {
  const names = Object.keys(fields).filter((name) => !known.includes(name) && !isSecretName(name))
  return Object.fromEntries(
    names
      .map((name) => [name, maskSecrets(scalarText(fields[name]))] as const)
      .filter(([, text]) => text !== '' && text.length <= longestDetail),
  )
}

/** The named fields that are present: an agent's runtime policy. */
export const policyOf = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = fields[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
