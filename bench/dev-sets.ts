import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { identify } from '../src/catalog/identity.ts'
import { toolretJsonl } from '../src/catalog/readers/toolret-jsonl.ts'
import { openDocument } from '../src/catalog/source-document.ts'
import type { Card } from '../src/domain/card.ts'
import type { Grades } from '../src/domain/qrels.ts'

/** Sets on which quality is read and nothing is trained. */
export const devSets: readonly string[] = (
  'apigen bfcl-live acebench callnavi azure-mcp azure-mcp-consolidated mcptoolbenchpp mcpproxy-golden ultratool toollens ' +
  'rotbench restgpt-spotify restgpt-tmdb autotools-food autotools-music autotools-weather craft-math-algebra ' +
  'craft-tabmwp craft-vqa toolalpaca appbench nestful gorilla-pytorch gorilla-tensor tooleyes-servers toolemu-servers'
).split(' ')

/** A query with its judged tools, by card id. */
export type JudgedQuery = { readonly id: string; readonly text: string; readonly grades: Grades }

/** A set in ToolRet's format. */
export type ToolSet = {
  readonly name: string
  readonly cards: readonly Card[]
  readonly queries: readonly JudgedQuery[]
}

/** The tools of one folder. */
export function readTools(folder: string, name: string): readonly Card[] {
  const file = [join(folder, name, 'tools.jsonl'), join(folder, name, 'tools.jsonl.gz')].find((path) =>
    existsSync(path),
  )
  if (file === undefined) return []
  const { cards } = toolretJsonl.read(openDocument(file))
  return identify(
    name,
    cards.map((draft) => ({ draft, origin: { reader: toolretJsonl.name, location: file } })),
  ).cards
}

/** One set; of `toollens` only the paper's test part. */
export function readSet(folder: string, name: string): ToolSet {
  const file = [join(folder, name, 'queries.jsonl'), join(folder, name, 'queries.jsonl.gz')].find((path) =>
    existsSync(path),
  )
  const bytes = file === undefined ? Buffer.alloc(0) : readFileSync(file)
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8')
  const records = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as QueryRecord)
    .filter(({ split }) => name !== 'toollens' || split === 'test')
  return {
    name,
    cards: readTools(folder, name),
    queries: records.map(({ id, query, labels }) => ({
      id,
      text: query,
      grades: new Map(labels.map((label) => [`${name}/${label.id}`, label.relevance])),
    })),
  }
}

type QueryRecord = {
  readonly id: string
  readonly query: string
  readonly split?: string
  readonly labels: readonly { readonly id: string; readonly relevance: number }[]
}
