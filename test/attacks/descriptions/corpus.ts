import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../../src/domain/json.ts'
import type { Card } from '../../../src/domain/card.ts'
import { encoders } from './encoders.ts'

/** A card of the corpus, its class, and what the scanner promises of that class. */
export type Sample = {
  readonly card: Card
  readonly class: string
  /** `flagged`: a soft finding will do, since a hard one would hide honest cards of the same kind. */
  readonly promise: 'hard' | 'flagged'
}

/** Parts of the corpus: the rules were written beside the first, the others after the rules. */
export type Part = `${'attacks' | 'honest'}-${1 | 2 | 3}`

/**
 * Reads a part of the corpus, `corpus/<part>.txt`. Cards are set apart by blank lines:
 *
 *     ## class                        classes of what follows; `(flagged)` lowers the promise
 *     tool name @source               or `agent`, `skill`; the lines after it are the description, but for
 *     - parameter: its description
 *     = parameter: its default
 *     ? an example request
 *     > a line of the system prompt
 *
 * `\u{200b}` is that character, `{{base64:text}}` the text in code (see `encoders.ts`; `{{{{name}}}}` stays).
 */
export function readPart(part: Part): readonly Sample[] {
  const samples: Sample[] = []
  let name = ''
  let promise: Sample['promise'] = 'hard'
  for (const block of readFileSync(
    join(repositoryFolder('test/attacks/descriptions/corpus'), `${part}.txt`),
    'utf8',
  ).split(/\n\s*\n/)) {
    const lines = block.trim().split('\n')
    const title = /^## (.+?)( \(flagged\))?$/.exec(lines[0] ?? '')
    if (title !== null) {
      name = title[1]!
      promise = title[2] === undefined ? 'hard' : 'flagged'
      lines.shift()
    }
    if (lines.length > 0 && lines[0] !== '')
      samples.push({ card: cardOf(lines.map(decode)), class: name, promise })
  }
  return samples
}

/** A folder as it stands in the repository: the compiled suite lies elsewhere. */
export function repositoryFolder(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'test/attacks/descriptions/corpus/attacks-1.txt'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('test/attacks/descriptions/corpus is not found above the suite')
    folder = parent
  }
  return join(folder, path)
}

const macro = /\{\{([a-z\d]+):((?:[^{}]|\{(?!\{)|\}(?!\}))*)\}\}/g

function decode(line: string): string {
  let text = line
  for (let depth = 0; depth < 3; depth++) {
    text = text.replace(macro, (whole, name: string, inner: string) => encoders[name]?.(inner) ?? whole)
  }
  return text.replace(/\\u\{([\da-f]+)\}/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

function cardOf([head = '', ...lines]: readonly string[]): Card {
  const [, kind, name = '', source = ''] = /^(tool|agent|skill) (.+) @(\S+)$/.exec(head) ?? []
  if (kind === undefined) throw new Error(`"${head}" is no head of a card: write "tool name @source"`)
  const marked = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(`${mark} `) || line === mark).map((line) => line.slice(2))
  const base = {
    id: `${source}/${name}`,
    source,
    name,
    description: lines.filter((line) => !/^[-=?>](?: |$)/.test(line)).join('\n'),
    examples: marked('?'),
    tags: [],
    provenance: { reader: 'corpus', location: 'corpus' },
  }
  if (kind !== 'tool') {
    const instructions = marked('>').join('\n')
    return {
      ...base,
      kind: 'agent',
      agentKind: kind === 'skill' ? 'skill' : 'subagent',
      backbone: null,
      tools: [],
      policy: {},
      ...(instructions === '' ? {} : { instructions }),
    }
  }
  const described = marked('-').map(pairOf)
  const defaults = marked('=').map(pairOf)
  const properties: { [name: string]: JsonObject } = {}
  for (const [key, text] of described) properties[key] = { type: 'string', description: text }
  for (const [key, text] of defaults) properties[key] = { ...properties[key], type: 'string', default: text }
  return {
    ...base,
    kind: 'tool',
    parameters: described.map(([key, description]) => ({
      name: key,
      description,
      type: 'string',
      required: true,
    })),
    inputSchema: { type: 'object', properties },
  }
}

const pairOf = (line: string): readonly [name: string, text: string] => {
  const at = line.indexOf(': ')
  return [line.slice(0, at), line.slice(at + 2)]
}
