import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readLedger, statesCopyFile, unlistSums, writeLedger } from '../integrity/ledger.ts'
import { metaTable } from '../schemas.ts'

/**
 * Tables that were made anew take the place of damaged ones by renaming. What is made lies in `repairing-<time>`; complete, it is
 * renamed to `repaired-<time>`, and from then on the exchange is finished, if need be by the next repair. Damaged tables go to
 * `damaged-<time>`.
 */
const [making, made, damaged] = ['repairing-', 'repaired-', 'damaged-'] as const
const planFile = 'tables.json'

/** A folder to make tables in. */
type Exchange = { readonly stamp: string; readonly folder: string }

/** @param now - names the folder, to the second; a number follows when that one is taken */
export function beginExchange(home: string, now: Date): Exchange {
  const stamp = freeStamp(home, now)
  const folder = join(home, making + stamp)
  mkdirSync(folder)
  return { stamp, folder }
}

/**
 * Moves entries away that are no files of a store, without opening them.
 *
 * @returns the folder of what is damaged that they went to; null without any
 */
export function putAside(home: string, entries: readonly string[], now: Date): string | null {
  if (entries.length === 0) return null
  const away = join(home, damaged + freeStamp(home, now))
  for (const entry of entries) {
    mkdirSync(dirname(join(away, entry)), { recursive: true })
    renameSync(join(home, entry), join(away, entry))
  }
  return away
}

function freeStamp(home: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-')
  for (let copy = 1; ; copy += 1) {
    const stamp = copy === 1 ? time : `${time}-${copy}`
    if (![making, made, damaged].some((prefix) => existsSync(join(home, prefix + stamp)))) return stamp
  }
}

export const damagedFolderOf = (home: string, { stamp }: Exchange): string => join(home, damaged + stamp)

/**
 * Puts the tables of the folder in place of those in the store, all of them or, after a crash, with the next {@link finishExchanges}.
 *
 * @param tables - names of the tables that are exchanged; of those that were not made anew the damaged ones are only moved away
 */
export function putInPlace(home: string, { stamp, folder }: Exchange, tables: readonly string[]): void {
  writeFileSync(join(folder, planFile), JSON.stringify(tables))
  renameSync(folder, join(home, made + stamp))
  finishExchange(home, stamp)
}

/** Exchanges that were begun and not finished. */
export const unfinishedExchanges = (home: string): readonly string[] => stampsOf(home, made)

/** Finishes exchanges that a crash has cut short. */
export function finishExchanges(home: string): void {
  for (const stamp of unfinishedExchanges(home)) finishExchange(home, stamp)
}

/** Folders that a crash has left half made. */
export const abandonedFolders = (home: string): readonly string[] =>
  stampsOf(home, making).map((stamp) => join(home, making + stamp))

const stampsOf = (home: string, prefix: string): readonly string[] =>
  readdirSync(home)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort()

/** The head's table leaves first and comes last, so that no other table is read through a head that is not its own. */
function finishExchange(home: string, stamp: string): void {
  const [from, away] = [join(home, made + stamp), join(home, damaged + stamp)]
  mkdirSync(away, { recursive: true })
  const tables = existsSync(join(from, planFile)) ? tablesOf(join(from, planFile)) : []
  unlistSums(home, tables)
  const ordered = [...tables].sort((a, b) => Number(a === metaTable) - Number(b === metaTable))
  for (const name of ordered.toReversed()) moveAway(home, away, name)
  for (const name of ordered) {
    const [source, target] = [join(from, folderOf(name)), join(home, folderOf(name))]
    if (existsSync(source)) renameSync(source, target)
  }
  putBeside(home, from)
  rmSync(from, { recursive: true })
  for (const name of tables) rmSync(join(away, `${folderOf(name)}${nothing}`), { force: true })
}

/** What is beside the tables that were made: what their files are, and the copy of the states of sources. */
function putBeside(home: string, from: string): void {
  const sums = new Map([...readLedger(home).sums, ...readLedger(from).sums])
  writeLedger(home, sums.values())
  if (existsSync(statesCopyFile(from))) renameSync(statesCopyFile(from), statesCopyFile(home))
}

const tablesOf = (file: string): readonly string[] => JSON.parse(readFileSync(file, 'utf8')) as string[]

/** Once: what stands there after that is the new one. */
function moveAway(home: string, away: string, name: string): void {
  const [source, target] = [join(home, folderOf(name)), join(away, folderOf(name))]
  const isMoved = existsSync(target) || existsSync(target + nothing)
  if (isMoved) return
  if (existsSync(source)) renameSync(source, target)
  else writeFileSync(target + nothing, '')
}

/** Marks that there was no such table. */
const nothing = '.none'

const folderOf = (table: string): string => `${table}.lance`
