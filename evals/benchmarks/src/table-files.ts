import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isFolder } from '../../../src/domain/paths.ts'
import { hubSnapshot } from '../../../src/evaluation/datasets/files.ts'

/** Files below a folder at most this deep: a benchmark's own layout, never a whole disk. */
const deepest = 4

/**
 * Tables below a folder (parquet, JSON Lines, JSON), as paths relative to it in code unit order. Hidden files and
 * folders are left out; of a dataset in the hub's cache one snapshot is looked through.
 */
export function tableFiles(folder: string): readonly string[] {
  return isFolder(folder) ? filesBelow(folder, hubSnapshot(folder) ?? folder, deepest).sort() : []
}

function filesBelow(root: string, folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const snapshot = hubSnapshot(path)
      if (snapshot !== undefined) return filesBelow(root, snapshot, deepest)
      return depth > 1 ? filesBelow(root, path, depth - 1) : []
    }
    const isTable = /\.(?:parquet|jsonl|ndjson|json)(?:\.gz)?$/i.test(entry.name)
    return isTable ? [relative(root, path).replaceAll('\\', '/')] : []
  })
}
