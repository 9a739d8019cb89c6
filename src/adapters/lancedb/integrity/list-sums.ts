import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRemote, type StoreLocation } from '../store-location.ts'
import { type FileSum, readLedger, touchOf, writeLedger } from './ledger.ts'
import { tableFiles } from './table-files.ts'
import { digestOf } from './verify-table.ts'

/** The version that is read, by table; undefined: the newest. */
export type Versions = { readonly [table: string]: number | undefined }

/**
 * Lists what the files of tables are, after they were written. A file that is listed keeps what it was: when it was damaged since, that
 * must show. Manifests are listed anew, since a table that somebody removed by hand is numbered from the start again.
 *
 * @param written - tables that were just written, and the version that is read; undefined: the newest
 * @param kept - tables that are as they were: what of them is not listed is listed
 */
export async function listSums(
  location: StoreLocation,
  written: Versions,
  kept: Versions = {},
): Promise<void> {
  if (isRemote(location)) return
  const { sums, damaged, isThere } = readLedger(location)
  const next = new Map<string, FileSum>()
  const versions: Versions = { ...kept, ...written }
  for (const sum of sums.values())
    if (!(tableOf(sum) in versions) && existsSync(join(location, sum.file))) next.set(sum.file, sum)
  for (const [table, version] of Object.entries(versions)) {
    const { manifests, others } = tableFiles(location, table, version)
    for (const file of [...manifests, ...others]) {
      const isNew = table in written && manifests.includes(file)
      const sum = (isNew ? undefined : sums.get(file)) ?? (await sumOf(location, file))
      if (sum !== null) next.set(file, sum)
    }
  }
  if (isThere && damaged === 0 && isSame(sums, next)) return
  writeLedger(location, next.values())
}

/** Takes tables off the list: others are about to take their place. */
export function unlistSums(location: StoreLocation, tables: readonly string[]): void {
  const { sums, isThere } = readLedger(location)
  if (isThere)
    writeLedger(
      location,
      [...sums.values()].filter((sum) => !tables.includes(tableOf(sum))),
    )
}

const tableOf = ({ file }: FileSum): string => file.slice(0, file.indexOf('.lance/'))

/** Null for a file that another writer has taken away. */
async function sumOf(location: StoreLocation, file: string): Promise<FileSum | null> {
  try {
    const path = join(location, file)
    const found = await stat(path)
    return { file, bytes: found.size, digest: await digestOf(path), touched: touchOf(found) }
  } catch {
    return null
  }
}

const isSame = (a: ReadonlyMap<string, FileSum>, b: ReadonlyMap<string, FileSum>): boolean =>
  a.size === b.size && [...b].every(([file, { digest }]) => a.get(file)?.digest === digest)
