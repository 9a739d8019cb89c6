import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A line of a file: a record, or text as it stands. */
type Line = object | string

/** Writes JSON Lines files, given by path, into a new folder, and returns it. */
export function folderWith(files: { readonly [path: string]: readonly Line[] | object }): string {
  const folder = mkdtempSync(join(tmpdir(), 'training-'))
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const lines = Array.isArray(content) ? content : [content]
    writeFileSync(
      file,
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    )
  }
  return folder
}

/** A tool's record in the shape of ToolRet. */
export const tool = (id: string, description: string, more: object = {}): object => ({
  id,
  documentation: { name: id, description },
  ...more,
})

/** A query's record in the shape of ToolRet. */
export const query = (id: string, text: string, labels: readonly string[], more: object = {}): object => ({
  id,
  query: text,
  labels: labels.map((label) => ({ id: label, relevance: 1 })),
  ...more,
})

/** A record of a catalog of agents. */
export const agent = (id: string, description: string, more: object = {}): object => ({
  id,
  source: id.split(':')[0],
  name: id.split(':')[1],
  description,
  capabilities: [],
  tools: [],
  model: null,
  instructions: '',
  examples: [],
  interface: { kind: 'claude-subagent' },
  ...more,
})
