import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { parseYaml } from './parse-yaml.ts'
import type { Problem, SourceDocument } from '../ports.ts'

/** What stands between the `---` lines of a Markdown file, and the text after them. */
export type FrontMatter = {
  readonly fields: JsonObject
  /** The Markdown after the front matter, without blank edges. */
  readonly body: string
  /** Warnings for fields that were recovered; an error when nothing could be. */
  readonly problems: readonly Problem[]
}

const opening = /^\s*---[ \t]*(?:\r?\n|$)/
const closing = /^(?:---|\.\.\.)[ \t]*$/m
const fieldLine = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t](.*))?$/

/** Broken front matter with more fields is no front matter that somebody wrote. */
const mostRecovered = 500

/** Whether the text begins with a `---` line: cheap, for readers that only want to know whether to look closer. */
export const hasFrontMatter = (document: SourceDocument): boolean => opening.test(document.text)

/**
 * Splits a Markdown file. Front matter that strict YAML refuses (often an unquoted description holding `: `) is
 * recovered field by field, each with a warning.
 *
 * @returns null when the text does not begin with a `---` line
 */
export function frontMatterOf(document: SourceDocument): FrontMatter | null {
  const known = split.get(document)
  if (known !== undefined) return known
  const matter = frontMatterIn(document)
  split.set(document, matter)
  return matter
}

/** Recognising and reading both look at the front matter: it is split once. */
const split = new WeakMap<SourceDocument, FrontMatter | null>()

function frontMatterIn(document: SourceDocument): FrontMatter | null {
  const start = opening.exec(document.text)
  if (start === null) return null
  const rest = document.text.slice(start[0].length).replaceAll('\r\n', '\n')
  const end = closing.exec(rest)
  if (end === null) {
    const message = 'the front matter has no closing "---" line'
    const remedy = 'Add a line "---" after the last field.'
    return {
      fields: {},
      body: rest.trim(),
      problems: [problem('error', document, 'line 1', message, remedy)],
    }
  }
  const body = rest.slice(end.index + end[0].length).trim()
  const yaml = rest.slice(0, end.index)
  const fields = yaml.trim() === '' ? {} : parseYaml(yaml)
  if (isJsonObject(fields)) return { fields, body, problems: [] }
  const linesBefore = start[0].split('\n').length - 1
  return { body, ...recover(document, yaml.split('\n'), linesBefore) }
}

/** One field of broken front matter: its lines, the first of which names it. */
type Chunk = { readonly name: string; readonly first: string; readonly line: number; readonly more: string[] }

function recover(
  document: SourceDocument,
  lines: readonly string[],
  linesBefore: number,
): { readonly fields: JsonObject; readonly problems: readonly Problem[] } {
  const fields: { [name: string]: JsonValue } = {}
  const problems: Problem[] = []
  for (const { name, first, line, more } of chunksOf(lines).slice(0, mostRecovered)) {
    const strict = parseYaml([`${name}: ${first}`, ...more].join('\n'))
    if (isJsonObject(strict) && Object.hasOwn(strict, name)) {
      fields[name] = strict[name] as JsonValue
      continue
    }
    fields[name] = unquoted([first, ...more].join('\n').trim())
    const message = `"${name}" is not valid YAML; it was read as plain text`
    const field = `${name} (line ${line + linesBefore})`
    problems.push(
      problem('warning', document, field, message, 'Put the value in quotes, or write it after "|".'),
    )
  }
  if (Object.keys(fields).length > 0) return { fields, problems }
  const message = 'the front matter is not YAML and holds no "key: value" line'
  return { fields, problems: [problem('error', document, 'line 1', message, 'Write the fields as YAML.')] }
}

/** Splits at keys in the first column; indented, list, blank and other lines continue the field before them. */
function chunksOf(lines: readonly string[]): readonly Chunk[] {
  const chunks: Chunk[] = []
  let openExamples = 0
  for (const [index, line] of lines.entries()) {
    const [, name, first] = fieldLine.exec(line) ?? []
    if (name !== undefined && openExamples <= 0 && name !== '__proto__') {
      chunks.push({ name, first: first ?? '', line: index + 1, more: [] })
      openExamples = 0
    } else {
      chunks.at(-1)?.more.push(line)
    }
    // An example dialogue spread over lines has lines like "user: ..." that are no fields.
    openExamples += count(line, '<example>') - count(line, '</example>')
  }
  return chunks
}

const count = (text: string, part: string): number => text.split(part).length - 1

function unquoted(text: string): string {
  const [, quote, inner] = /^(["'])([\s\S]*)\1$/.exec(text) ?? []
  return quote === undefined || inner === undefined ? text : inner
}

/**
 * Text in which somebody wrote line breaks as the two characters `\n` (and quotes as `\"`), as they should be. A
 * drive letter's path such as `C:\new` stays.
 */
export function withRealLineBreaks(text: string): string {
  if (!/\\r?\\n|\\n/.test(text)) return text
  return text
    .replace(/(?<!\b[A-Za-z]:)(?:\\r)?\\n/g, '\n')
    .replaceAll('\\"', '"')
    .replaceAll('\\t', '\t')
}

const problem = (
  severity: Problem['severity'],
  document: SourceDocument,
  field: string,
  message: string,
  remedy: string,
): Problem => ({ severity, file: document.label, field, message, remedy })
