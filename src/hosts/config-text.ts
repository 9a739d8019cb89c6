import { parseTree, type ParseError, getNodeValue, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

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

/** What stands in a file of settings that need not be there. */
type SettingsFile =
  | { readonly kind: 'read'; readonly config: JsonObject }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly message: string; readonly remedy: string }

/** Bytes that settings may have: the largest hold the history of years. */
const mostBytes = 256 * 1024 * 1024

/** Reads settings that a host keeps beside its configurations; an empty file holds none. */
export function settingsAt(path: string): SettingsFile {
  const contents = contentsOf(path)
  if (contents.kind !== 'text') return contents
  const read = readConfig(path, contents.text)
  if (read.kind === 'read') return read
  return { kind: 'broken', message: `line ${read.line}: ${read.reason}`, remedy: 'Mend its syntax.' }
}

type Contents = { readonly kind: 'text'; readonly text: string } | Exclude<SettingsFile, { kind: 'read' }>

/** The text of a file, opened without waiting: a pipe that nobody writes to would be waited for for ever. */
export function contentsOf(path: string): Contents {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(file)
    if (!found.isFile()) return { kind: 'broken', message: 'is no file', remedy: 'Move it away.' }
    if (found.size > mostBytes)
      return { kind: 'broken', message: 'is larger than 256 MB', remedy: 'Split it into smaller files.' }
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? { kind: 'broken', message: 'is not valid UTF-8', remedy: 'Save it as UTF-8.' }
      : { kind: 'broken', message: `cannot be read: ${code}`, remedy: 'Check its permissions.' }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
