import { rmSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedFileError, isRemote, type StoreLocation } from '../store-location.ts'
import { type FileSum, readLedger, touchOf } from './ledger.ts'
import { strangeIn } from './strange-entries.ts'
import { digestOf, largestOf, tableFiles, versionOf } from './table-files.ts'

/** Files that were found whole, by path, and what would tell that they were touched since. */
const compared = new Map<string, string>()
const mostCompared = 4096

/** How a table is verified. */
export type VerifyOptions = {
  /** That is to be opened, besides the newest. */
  readonly version?: number
  /**
   * Whether files that nobody touched since they were listed are compared too. Not to takes no time, and is for tables whose every row has
   * a checksum that is compared as it is read: a disk may forget what nobody touched. @defaultValue 'compare'
   */
  readonly untouched?: 'compare' | 'believe'
}

/**
 * Compares the files of a table of a local store with what they were when they were written, each once per process as long as it is not
 * touched. Damaged bytes then never come to LanceDB, which may take them for something else or give up with a message of its own.
 * Files that are not listed are taken as they are.
 *
 * @throws DamagedFileError which of its files was changed
 */
export async function verifyTable(
  location: StoreLocation,
  table: string,
  { version, untouched = 'compare' }: VerifyOptions = {},
): Promise<void> {
  if (isRemote(location)) return
  const [strange] = strangeIn(location, table)
  if (strange !== undefined) throw new DamagedFileError(`${strange} is neither a file nor a folder`, false)
  const { sums, isThere } = readLedger(location)
  if (!isThere) return
  const { manifests, others, newest, noted, isMisnamed, ...known } = tableWithWritten(
    location,
    table,
    version,
  )
  // Tables that the head names versions of are dropped and made again.
  const written = version === undefined ? known.written : noted
  if (newest !== null && written !== null && written > newest)
    throw new DamagedFileError(`the newest version of its table "${table}" is gone`, true)
  if (isMisnamed)
    throw new DamagedFileError(`a manifest of its table "${table}" is a copy of another one`, true)
  for (const file of [...manifests, ...others]) {
    const sum = sums.get(file)
    if (sum !== undefined && !(await isWhole(location, sum, untouched)))
      throw new DamagedFileError(
        `${partOf(file)} of its table "${table}" was changed after it was written`,
        manifests.includes(file),
      )
  }
}

/**
 * The files of a table, and the newest version that is known to have been written, by the list of checksums and by what LanceDB noted.
 * The list is read first: a version that is written meanwhile must not seem to be gone.
 */
export function tableWithWritten(location: StoreLocation, table: string, version?: number) {
  const listed = versionsListed(location, table).map((one) => one.version)
  const files = tableFiles(location, table, version)
  return { ...files, written: largestOf(files.noted === null ? listed : [...listed, files.noted]) }
}

/** The versions of a table whose manifests are listed, whether they are there or not. */
export function versionsListed(location: StoreLocation, table: string) {
  const folder = `${table}.lance/_versions/`
  return [...readLedger(location).sums.values()].flatMap((sum) =>
    sum.file.startsWith(folder)
      ? versionOf(sum.file.slice(folder.length)).map((version) => ({ version, sum }))
      : [],
  )
}

/**
 * Takes away manifests of older versions that were damaged: nobody reads those versions again, but LanceDB reads all manifests as it
 * tidies a table. For writers.
 *
 * @param version - that is read, besides the newest
 */
export async function forgetDamagedVersions(
  location: StoreLocation,
  table: string,
  version?: number,
): Promise<void> {
  if (isRemote(location)) return
  const { sums } = readLedger(location)
  for (const file of tableFiles(location, table, version).older) {
    const sum = sums.get(file)
    if (sum !== undefined && !(await isWhole(location, sum, 'compare')))
      rmSync(join(location, file), { force: true })
  }
}

/**
 * Compares the files of a table, and gives what looks at any time whether they were touched since, and compares them again then: for
 * who keeps the cards open. It takes some microseconds.
 */
export async function guardTable(
  location: StoreLocation,
  table: string,
  version: number,
): Promise<() => Promise<void>> {
  await verifyTable(location, table, { version, untouched: 'believe' })
  if (isRemote(location) || !readLedger(location).isThere) return async () => undefined
  const { manifests, others } = tableFiles(location, table, version)
  const marks = (): string => [...manifests, ...others].map((file) => markOf(join(location, file))).join()
  let seen = marks()
  return async () => {
    const now = marks()
    if (now === seen) return
    await verifyTable(location, table, { version })
    seen = now
  }
}

function markOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
}

/** The kind of file that a person is told of; its own name says nothing. */
const partOf = (file: string): string =>
  file.includes('/_versions/')
    ? 'a manifest'
    : file.includes('/_indices/')
      ? 'an index file'
      : file.includes('/_deletions/')
        ? 'a list of removed rows'
        : 'a data file'

async function isWhole(
  location: StoreLocation,
  sum: FileSum,
  untouched: 'compare' | 'believe',
): Promise<boolean> {
  const path = join(location, sum.file)
  const found = await stat(path).catch(() => null)
  // LanceDB says of a file that is gone that it is; one that a writer took away belongs to no version any more.
  if (found === null) return true
  if (found.size !== sum.bytes) return false
  if (untouched === 'believe' && touchOf(found) === sum.touched) return true
  const mark = `${sum.digest} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
  if (compared.get(path) === mark) return true
  const digest = await digestOf(path).catch(() => null)
  // Who may not read it hears that from LanceDB.
  if (digest !== null && digest !== sum.digest) return false
  if (compared.size >= mostCompared) compared.clear()
  if (digest !== null) compared.set(path, mark)
  return true
}
