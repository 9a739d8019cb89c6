import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isFile, isFolder } from '../../domain/paths/what-stands.ts'

/**
 * The files of a dataset in the cache of the Hugging Face hub: `datasets--<owner>--<name>/snapshots/<commit>`. Of several commits
 * that which `refs/main` names, else the newest.
 *
 * @returns undefined when the folder is no such dataset, or holds no snapshot
 */
export function hubSnapshot(folder: string): string | undefined {
  const snapshots = join(folder, 'snapshots')
  if (!basename(folder).startsWith('datasets--') || !isFolder(snapshots)) return undefined
  const main = join(folder, 'refs', 'main')
  const named = isFile(main) ? join(snapshots, basename(readFileSync(main, 'utf8').trim())) : undefined
  if (named !== undefined && named !== snapshots && isFolder(named)) return named
  const [newest] = readdirSync(snapshots)
    .map((name) => join(snapshots, name))
    .filter(isFolder)
    .map((path) => ({ path, changed: statSync(path).mtimeMs }))
    .sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1))
  return newest?.path
}

/** What the hub calls a dataset, without its owner, by the folder of its cache; undefined for any other folder. */
export const hubDatasetName = (folder: string): string | undefined =>
  /^datasets--(?!$)/.test(basename(folder)) ? basename(folder).split('--').at(-1) : undefined
