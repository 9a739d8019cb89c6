import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Card } from '../src/domain/card.ts'
import { readTools } from './dev-sets.ts'

/** A tool as its set publishes it: one line of a `tools.jsonl`. */
export type ToolLine = { readonly set: string; readonly id: string; readonly line: string }

/** All tools of a folder of sets, in an order that is fixed and mixes the sets: a prefix is a fair sample. */
export function readToolLines(folder: string): readonly ToolLine[] {
  const sets = readdirSync(folder).sort()
  const lines = sets.flatMap((set) => {
    const path = ['tools.jsonl', 'tools.jsonl.gz']
      .map((name) => join(folder, set, name))
      .find((file) => existsSync(file))
    return path === undefined ? [] : linesOf(path).map((line) => ({ set, id: idOf(line), line }))
  })
  const places = new Map(lines.map((tool) => [tool, placeOf(tool)]))
  return lines.sort((a, b) => (places.get(a)! < places.get(b)! ? -1 : 1))
}

const placeOf = ({ set, id }: ToolLine): string => createHash('sha256').update(`${set}/${id}`).digest('hex')

const idOf = (line: string): string => (JSON.parse(line) as { id: string }).id

function linesOf(path: string): string[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split('\n').filter((line) => line.trim() !== '')
}

/** Writes a corpus: a folder with `<set>/tools.jsonl` for every set that has a tool in it. */
export function writeCorpus(folder: string, tools: readonly ToolLine[]): void {
  for (const set of new Set(tools.map((tool) => tool.set))) {
    const lines = tools.filter((tool) => tool.set === set).map(({ line }) => line)
    mkdirSync(join(folder, set), { recursive: true })
    writeFileSync(join(folder, set, 'tools.jsonl'), `${lines.join('\n')}\n`)
  }
}

/** All cards of a corpus, with the ids that Audition's index gives them. */
export const readCorpus = (folder: string): readonly Card[] =>
  readdirSync(folder)
    .sort()
    .flatMap((set) => readTools(folder, set))
