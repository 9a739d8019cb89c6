import { basename, dirname, join } from 'node:path'
import { grouped } from '../../../../src/domain/grouped.ts'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'
import { structuredText } from '../../../../src/catalog/formats/structured-text.ts'
import { DatasetError } from '../../../../src/evaluation/datasets/dataset.ts'
import {
  firstParquetRow,
  hubDatasetName,
  namesIn,
  readParquetRows,
} from '../../../../src/evaluation/datasets/files.ts'
import { type OnProblem, openOrReport, recordLines } from './record-lines.ts'

/** Tables of pairs that are one set. */
export type PairSet = { readonly content: 'pairs'; readonly name: string; readonly files: readonly string[] }

/** A query with the documentations that serve it, and others that do not. */
type PairRecord = {
  readonly query: string
  readonly pos: readonly string[]
  readonly neg: readonly string[]
  /** The instruction; empty when there is none. */
  readonly prompt: string
}

const table = /\.(?:parquet|(?:jsonl|ndjson|json)(?:\.gz)?)$/i
const shard = /-\d{5}-of-\d{5}$/

/** Tables of a folder, parquet or one JSON array, with the columns `query`, `pos`, `neg` and `prompt`. */
export async function tablesOfPairs(folder: string, onProblem: OnProblem): Promise<readonly string[]> {
  const files: string[] = []
  for (const name of namesIn(folder).filter((each) => /\.(?:parquet|json(?:\.gz)?)$/i.test(each))) {
    const [first] = await recordsIn(join(folder, name), onProblem, 'first')
    if (first !== undefined && pairOf(first) !== undefined) files.push(join(folder, name))
  }
  return files
}

/**
 * Files of pairs as sets. Shards of one table are one set, which bears the name of the table, or of its folder where that says
 * nothing (`train`, `data`).
 */
export const pairSets = (files: readonly string[]): readonly PairSet[] =>
  [...grouped(files, setName)].map(([name, shards]) => ({ content: 'pairs', name, files: shards }))

/** All pairs of a file. A record of another shape is reported and skipped. */
export async function pairsOf(file: string, onProblem: OnProblem): Promise<readonly PairRecord[]> {
  const records = await recordsIn(file, onProblem)
  const pairs = records.flatMap((record) => pairOf(record) ?? [])
  const lost = records.length - pairs.length
  if (lost > 0)
    onProblem({
      severity: 'warning',
      file,
      message: `${lost} of ${records.length} records left out: no query, or no documentation in pos`,
      remedy: 'Each record needs "query", and "pos" with at least one documentation.',
    })
  return pairs
}

async function recordsIn(
  file: string,
  onProblem: OnProblem,
  most: 'all' | 'first' = 'all',
): Promise<readonly JsonObject[]> {
  if (/\.parquet$/i.test(file)) return parquetRows(file, onProblem, most)
  const document = openOrReport(file, onProblem)
  if (document === undefined) return []
  const isList = /^\s*\[/.test(document.text)
  const json = isList ? document.json() : undefined
  if (Array.isArray(json)) return json.filter(isJsonObject)
  return /\.json(?:\.gz)?$/i.test(file) ? [] : recordLines(document, onProblem)
}

async function parquetRows(
  file: string,
  onProblem: OnProblem,
  most: 'all' | 'first',
): Promise<readonly JsonObject[]> {
  try {
    if (most === 'all') return await readParquetRows(file)
    const first = await firstParquetRow(file)
    return first === undefined ? [] : [first]
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error
    onProblem({ severity: 'error', file, message: error.message, remedy: error.remedy })
    return []
  }
}

/** A record as a pair; undefined when it has no query, or nothing that serves it. */
export function pairOf({ query, pos, neg, prompt }: JsonObject): PairRecord | undefined {
  const serving = textsIn(pos)
  if (typeof query !== 'string' || query.trim() === '' || serving.length === 0) return undefined
  return {
    query,
    pos: serving,
    neg: textsIn(neg),
    prompt: typeof prompt === 'string' ? prompt.trim() : '',
  }
}

/** Documentations as texts, whatever the table holds: a list, that list as a text, or one documentation. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const list = /^\s*\[/.test(value) ? structuredText(value) : undefined
    return Array.isArray(list) ? textsIn(list) : value.trim() === '' ? [] : [value]
  }
  if (isJsonObject(value)) return [JSON.stringify(value)]
  return Array.isArray(value) ? value.flatMap(textsIn) : []
}

/** Names that say nothing of a set, commits among them. */
const empty = /^(?:train(?:ing)?|data|default|queries|snapshots|[\da-f]{40})$/i

function setName(file: string): string {
  const stem = basename(file).replace(table, '').replace(shard, '')
  if (!empty.test(stem)) return stem
  let folder = dirname(file)
  while (empty.test(basename(folder)) && dirname(folder) !== folder) folder = dirname(folder)
  return hubDatasetName(folder) ?? (basename(folder) || stem)
}
