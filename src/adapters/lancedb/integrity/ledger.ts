import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { isJsonObject } from '../../../domain/json.ts'
import { readable } from '../../../domain/paths.ts'
import { parseSealed, sealed } from '../../../domain/text/sealed-json.ts'
import { readStates, type States } from '../head.ts'
import { type StoreHead, recordTables } from '../schemas.ts'
import { isRemote, type StoreLocation } from '../store-location.ts'
import { digestOf, tableFiles } from './table-files.ts'

/** What a file of the store was when it was written. LanceDB never changes a file, so that it is this or damaged. */
export type FileSum = {
  /** Relative to the store's folder, with slashes. */
  readonly file: string
  readonly bytes: number
  /** SHA-256, hex, 32 characters. */
  readonly digest: string
  /** What the system says of the file as long as nobody touches it: see {@link touchOf}. */
  readonly touched: string
}

/** Changes with every write to a file, and when it is moved or copied. */
export const touchOf = ({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>): string =>
  `${mtimeMs} ${ctimeMs}`

/** The sums of a local store, by file; a line of the list that was changed counts as not there. */
type Ledger = {
  readonly sums: ReadonlyMap<string, FileSum>
  /** Lines that cannot be read. */
  readonly damaged: number
  /** Whether there is a list with a line at all: stores of an older Audition have none until something is written. */
  readonly isThere: boolean
}

export const ledgerFile = (location: StoreLocation): string => join(location, 'checksums.jsonl')

const noLedger: Ledger = { sums: new Map(), damaged: 0, isThere: false }

/** The list that was read last, and what told it from a later one. */
let last: { readonly file: string; readonly mark: string; readonly ledger: Ledger } | null = null

/** @returns an empty one when there is none, or the store is at an address: object storage keeps sums itself */
export function readLedger(location: StoreLocation): Ledger {
  if (isRemote(location)) return noLedger
  const file = ledgerFile(location)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile()) return noLedger
  const mark = `${found.ino} ${found.size} ${found.mtimeMs}`
  if (last?.file === file && last.mark === mark) return last.ledger
  const ledger = ledgerIn(readFileSync(file, 'utf8'))
  last = { file, mark, ledger }
  return ledger
}

function ledgerIn(text: string): Ledger {
  const sums = new Map<string, FileSum>()
  let damaged = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const sum = sumIn(line)
    if (sum === null) damaged += 1
    else sums.set(sum.file, sum)
  }
  return { sums, damaged, isThere: sums.size + damaged > 0 }
}

function sumIn(line: string): FileSum | null {
  try {
    // A line is never without its seal: one that seems so was changed.
    const sum = line.startsWith('{"sum":"') ? parseSealed(line) : null
    return isJsonObject(sum) && typeof sum.file === 'string' ? (sum as unknown as FileSum) : null
  } catch {
    return null
  }
}

/**
 * Puts a list in the place of the one there is. Two processes may do so at once, and lines of one be lost: those files are not compared
 * until the next write lists them.
 */
export function writeLedger(location: StoreLocation, sums: Iterable<FileSum>): void {
  const lines = Array.from(sums, (sum) => `${sealed(JSON.stringify(sum))}\n`)
  replaceWhole(ledgerFile(location), lines.join(''))
}

/** Writes beside a file and renames: no reader meets half of it. */
function replaceWhole(file: string, text: string): void {
  const draft = `${file}.${randomUUID().slice(0, 8)}`
  try {
    writeFileSync(draft, text)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** The version that is read, by table; undefined: the newest. */
export type Versions = { readonly [table: string]: number | undefined }

/**
 * Lists what the files of tables are, after they were written. A file that is listed keeps what it was: when it was damaged since, that
 * must show, and also when it is gone from a record that was not just written. Manifests are listed anew, since a table that somebody removed by hand is numbered from the start again.
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
  const isThereStill = ({ file }: FileSum): boolean => existsSync(join(location, file))
  for (const sum of sums.values())
    if (isOfRecord(sum) ? !(tableOf(sum) in written) : !(tableOf(sum) in versions) && isThereStill(sum))
      next.set(sum.file, sum)
  for (const [table, version] of Object.entries(versions)) {
    const { manifests, older, others } = tableFiles(location, table, version)
    for (const file of [...manifests, ...older, ...others]) {
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

/** Whether something of a table is listed, be it there or not. */
export const isListed = (location: StoreLocation, table: string): boolean =>
  [...readLedger(location).sums.values()].some((sum) => tableOf(sum) === table)

const isOfRecord = (sum: FileSum): boolean => (recordTables as readonly string[]).includes(tableOf(sum))

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

/**
 * A copy of what the store remembers of its sources and of what the user decided of them, beside its tables: no source can bring that
 * back. Read by repairs alone.
 */
export type StatesCopy = States & {
  /** The name of the states that were copied. */
  readonly state: string
}

export const statesCopyFile = (location: StoreLocation): string => join(location, 'sources.json')

/** Makes the copy anew, of a head that was committed. */
export async function copyStates(location: StoreLocation, meta: Table, head: StoreHead): Promise<void> {
  const copy: StatesCopy = {
    state: head.state,
    ...(await readStates(meta, head)),
  }
  replaceWhole(statesCopyFile(location), `${sealed(JSON.stringify(copy))}\n`)
}

/** @returns null when there is none, or it is not what was written */
export function readStatesCopy(location: StoreLocation): StatesCopy | null {
  try {
    const copy = parseSealed(readFileSync(readable(statesCopyFile(location)), 'utf8').trimEnd())
    return isJsonObject(copy) && Array.isArray(copy.sources) && Array.isArray(copy.reviews)
      ? (copy as unknown as StatesCopy)
      : null
  } catch {
    return null
  }
}
