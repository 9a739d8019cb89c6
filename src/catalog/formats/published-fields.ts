import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { isSecretName } from '../../domain/text/secrets.ts'
import type { Problem, ReadResult } from '../ports.ts'
import type { ToolAnnotations } from '../../domain/card.ts'

/** The text of a published field, trimmed; empty when it is no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The texts of a list field, each once, empty ones left out; a lone text counts as a list of one. */
export const textsOf = (...lists: readonly unknown[]): readonly string[] => [
  ...new Set(
    lists
      .flat()
      .map(textOf)
      .filter((text) => text !== ''),
  ),
]

/** Details of a card without the empty ones, as a part to spread: nothing when none is left. */
export function detailsOf(published: { readonly [name: string]: unknown }): {
  readonly details?: { readonly [name: string]: string }
} {
  const stated = Object.entries(published)
    .map(([name, value]) => [name, textOf(value)] as const)
    .filter(([, text]) => text !== '')
  return stated.length === 0 ? {} : { details: Object.fromEntries(stated) }
}

/** A field to spread when its text is not empty. */
export const field = <Name extends string>(name: Name, text: string): { readonly [N in Name]?: string } =>
  text === '' ? {} : ({ [name]: text } as { readonly [N in Name]: string })

/** The first field that the object has, of names that different generations of a format use. */
export function eitherOf(object: JsonObject, ...names: readonly string[]): unknown {
  const name = names.find((candidate) => object[candidate] !== undefined && object[candidate] !== null)
  return name === undefined ? undefined : object[name]
}

/** An address without user, password, fragment and the query parameters that by their name hold a secret. */
export function withoutSecrets(url: string): string {
  const [address = '', query = ''] = url.replace(/#.*/s, '').split(/\?(.*)/s)
  const kept = query.split('&').filter((part) => part !== '' && !isSecretName(part.split('=')[0] ?? ''))
  const plain = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
  return kept.length === 0 ? plain : `${plain}?${kept.join('&')}`
}

/** The result of a document of which nothing could be taken. */
export const refused = (problem: Omit<Problem, 'severity'>): ReadResult => ({
  cards: [],
  servers: [],
  problems: [{ severity: 'error', ...problem }],
})

/**
 * The parts of a text between its commas, but for commas within brackets: those after which a bracket closes before another opens. Read
 * once, from the end.
 *
 * @param brackets - the opening and the closing one
 */
export function splitAtCommas(text: string, brackets: '()' | '[]'): readonly string[] {
  const parts: string[] = []
  let end = text.length
  let isBracketed = false
  for (let at = text.length - 1; at >= 0; at--) {
    const letter = text[at]!
    if (letter === brackets[1]) isBracketed = true
    else if (letter === brackets[0]) isBracketed = false
    else if (letter === ',' && !isBracketed) {
      parts.push(text.slice(at + 1, end))
      end = at
    }
  }
  parts.push(text.slice(0, end))
  return parts.reverse()
}

/** The hints of an MCP tool; undefined when none is stated. A hint that is not stated stays unknown. */
export function mcpAnnotations(published: unknown): ToolAnnotations | undefined {
  if (!isJsonObject(published)) return undefined
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = published
  const stated = {
    ...(typeof readOnlyHint === 'boolean' ? { readOnly: readOnlyHint } : {}),
    ...(typeof destructiveHint === 'boolean' ? { destructive: destructiveHint } : {}),
    ...(typeof idempotentHint === 'boolean' ? { idempotent: idempotentHint } : {}),
    ...(typeof openWorldHint === 'boolean' ? { openWorld: openWorldHint } : {}),
  }
  return Object.keys(stated).length === 0 ? undefined : stated
}
