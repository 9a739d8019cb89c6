import { parseTree, type ParseError, getNodeValue, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'
import { isJsonObject, type JsonObject } from '../domain/json.ts'

/** What a configuration holds, or where and why it cannot be read. */
type ReadConfig =
  | { readonly kind: 'read'; readonly config: JsonObject }
  | { readonly kind: 'broken'; readonly line: number; readonly reason: string }

export const isTomlPath = (path: string): boolean => /\.toml$/i.test(path)

/**
 * Parses a configuration: JSON with comments and trailing commas, or TOML by the ending of its name. A text without
 * values is an empty object. Dates of TOML become texts.
 */
export function readConfig(path: string, text: string): ReadConfig {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  return isTomlPath(path) ? readToml(plain) : readJson(plain)
}

function readToml(text: string): ReadConfig {
  try {
    return { kind: 'read', config: JSON.parse(JSON.stringify(parseToml(text))) as JsonObject }
  } catch (error) {
    if (!(error instanceof TomlError)) return { kind: 'broken', line: 1, reason: 'cannot be parsed' }
    const [reason = 'not TOML'] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    return { kind: 'broken', line: error.line, reason }
  }
}

function readJson(text: string): ReadConfig {
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
    const first = errors[0]
    if (first !== undefined) {
      const line = text.slice(0, first.offset).split('\n').length
      return { kind: 'broken', line, reason: printParseErrorCode(first.error) }
    }
    if (root === undefined) return { kind: 'read', config: {} }
    const value: unknown = JSON.parse(JSON.stringify(getNodeValue(root)))
    return isJsonObject(value)
      ? { kind: 'read', config: value }
      : { kind: 'broken', line: 1, reason: 'holds no object' }
  } catch {
    return { kind: 'broken', line: 1, reason: 'nested too deep' }
  }
}
