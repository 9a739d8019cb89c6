import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { isFolderThere, namesIn, type StoreLocation } from '../store-location.ts'
import { ledgerFile, statesCopyFile } from './ledger.ts'

/**
 * Pipes, sockets and devices among the files of a table, whose reading may never end; relative to the store. None is opened.
 *
 * @throws the system's error when a folder cannot be looked into
 */
export function strangeIn(location: StoreLocation, table: string): readonly string[] {
  const folder = `${table}.lance`
  const found = statSync(join(location, folder), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [folder]
  return entriesIn(join(location, folder))
    .filter((entry) => !entry.isDirectory() && !entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(isStrange)
    .map((path) => relative(location, path).split(sep).join('/'))
}

/** The same of all of a store, and folders that stand where one of its files belongs. */
export function strangeEntries(location: StoreLocation): readonly string[] {
  if (!isFolderThere(location)) return []
  const beside = [ledgerFile(location), statesCopyFile(location)].filter((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found !== undefined && !found.isFile()
  })
  const tables = namesIn(location).filter((name) => name.endsWith('.lance'))
  return [
    ...tables.flatMap((name) => strangeIn(location, basename(name, '.lance'))),
    ...beside.map((file) => basename(file)),
  ]
}

/** Links lead to what is read; one that leads nowhere is as good as gone. */
function isStrange(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/** A writer may take a folder away that is just looked into: then it is looked into again. */
function entriesIn(folder: string) {
  for (let attempt = 1; ; attempt += 1)
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error
    }
}
