import type { AgentCard, Backbone, ToolReference } from '../../domain/card.ts'
import { type JsonObject, type JsonValue, isJsonObject } from '../../domain/json.ts'
import { isSecretName, maskSecrets } from '../../domain/text/secrets.ts'
import { field, splitAtCommas, textOf } from './published-fields.ts'
import { statementOf } from './example-dialogues.ts'
import { parseYaml } from './parse-yaml.ts'
import type { CardDraft, Problem, SourceDocument } from '../ports.ts'

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

/** What a format says in its own way; all else stands in the same fields of every format. */
type OwnFields = Pick<AgentCard, 'agentKind' | 'name' | 'tools'> &
  Partial<Pick<AgentCard, 'description' | 'examples' | 'tags' | 'runtime'>> & {
    readonly servers?: AgentCard['servers'] | undefined
    readonly author?: string
    /** Names of fields that bear on a run. */
    readonly policy: readonly string[]
    readonly details: { readonly [name: string]: string }
  }

/** The card of an agent that is Markdown with front matter: the body is its prompt. */
export function markdownAgent({ fields, body }: FrontMatter, own: OwnFields): CardDraft {
  const { agentKind, name, tools, servers, runtime, details } = own
  const { description, examples } = { ...statementOf(scalarText(fields.description)), ...own }
  return {
    kind: 'agent',
    agentKind,
    name,
    description,
    examples,
    tags: own.tags ?? [],
    ...field('publisher', own.author ?? ''),
    backbone: backboneOf(fields.model),
    tools,
    policy: policyOf(fields, own.policy),
    ...(servers === undefined ? {} : { servers }),
    ...field('instructions', body),
    ...(runtime === undefined ? {} : { runtime }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  }
}

/** What is said of front matter without a field that a card needs. */
export const withoutField = (document: SourceDocument, what: string, name: string): Problem => ({
  severity: 'error',
  file: document.label,
  field: name,
  message: `the ${what} has no ${name}`,
  remedy: `Add a line "${name}: ..." to the front matter.`,
})

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

/** The same to be read: a text without front matter has no field, and is all body. */
export const matterOf = (document: SourceDocument): FrontMatter =>
  frontMatterOf(document) ?? { fields: {}, body: document.text.trim(), problems: [] }

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
    const problem = { severity: 'error', file: document.label, field: 'line 1', message, remedy } as const
    return { fields: {}, body: rest.trim(), problems: [problem] }
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
    fields[name] = withoutQuotes([first, ...more].join('\n').trim())
    problems.push({
      severity: 'warning',
      file: document.label,
      field: `${name} (line ${line + linesBefore})`,
      message: `"${name}" is not valid YAML; it was read as plain text`,
      remedy: 'Put the value in quotes, or write it after "|".',
    })
  }
  if (Object.keys(fields).length > 0) return { fields, problems }
  const message = 'the front matter is not YAML and holds no "key: value" line'
  const remedy = 'Write the fields as YAML.'
  return {
    fields,
    problems: [{ severity: 'error', file: document.label, field: 'line 1', message, remedy }],
  }
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

function withoutQuotes(text: string): string {
  const [, quote, inner] = /^(["'])([\s\S]*)\1$/.exec(text) ?? []
  return quote === undefined || inner === undefined ? text : inner
}
