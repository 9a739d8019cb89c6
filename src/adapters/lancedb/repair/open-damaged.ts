import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import { openTable } from '../pointed-table.ts'
import { connectTo, type StoreConnection } from '../connection.ts'
import { versionOf } from '../integrity/table-files.ts'
import { tableWithWritten, verifyTable } from '../integrity/verify-table.ts'
import { DamagedFileError, reasonOf, type StoreLocation } from '../store-location.ts'

/** A table as far as it can be opened. */
export type DamagedTable = {
  /** Null when no version opens. */
  readonly table: Table | null
  /** What is wrong with it; null when the wanted version opens. */
  readonly damage: string | null
  /** Whether it is the wanted version, or the newest that was written. */
  readonly isNewest: boolean
}

/**
 * To be called before a table is read.
 *
 * @throws Error when an earlier process ended as it read that table
 */
export type EnterTable = (table: string) => void

/** A copy of a table's list of versions, which may be changed, and a connection to the table through it. */
type Copy = { readonly connection: Connection; readonly versions: string }

/** Opens tables of a store that may be damaged, without changing anything in it. */
export class DamagedStore {
  readonly #store: StoreConnection
  readonly #enter: EnterTable
  readonly #copies = new Map<string, Copy>()
  #scratch: string | null = null

  constructor(store: StoreConnection, enter: EnterTable) {
    this.#store = store
    this.#enter = enter
  }

  /**
   * Opens a table at a version, or else at the newest one that opens.
   *
   * @param version - the version that was committed; null takes the newest
   */
  async open(name: string, version: number | null): Promise<DamagedTable> {
    const { location, connection } = this.#store
    try {
      this.#enter(name)
    } catch (error) {
      return { table: null, damage: reasonOf(error), isNewest: false }
    }
    const changed = await verifyTable(location, name, version === null ? {} : { version }).then(
      () => null,
      asError,
    )
    // What a manifest says that was changed is not to be relied on: an older one may say more.
    const isMisled = changed instanceof DamagedFileError && changed.isManifest
    let damage = changed && reasonOf(changed)
    const older = isMisled ? await this.#newestThatOpens(name, version, 'older') : null
    if (older !== null) {
      const { written } = tableWithWritten(location, name)
      return { table: older, damage, isNewest: written !== null && BigInt(await older.version()) >= written }
    }
    try {
      const table = await openTable(connection, name)
      if (table !== null) {
        if (version !== null) await table.checkout(version)
        await table.countRows()
        return { table, damage, isNewest: !isMisled }
      }
      damage ??= 'it is gone'
    } catch (error) {
      damage ??= reasonOf(error)
    }
    return { table: await this.#newestThatOpens(name, version), damage, isNewest: false }
  }

  /** Passes over manifests, the newest first, until one opens; of what is left then the wanted version, if it opens. */
  async #newestThatOpens(
    name: string,
    wanted: number | null,
    which: 'any' | 'older' = 'any',
  ): Promise<Table | null> {
    const { location } = this.#store
    if (!existsSync(join(location, `${name}.lance`, versionsFolder))) return null
    const copy = this.#copies.get(name) ?? (await this.#copied(name))
    const [first, ...others] = manifestsOf(copy.versions)
    if (first === undefined || (which === 'older' && others.length === 0)) return null
    if (which === 'older' && !isBehind(location, name)) rmSync(join(copy.versions, first))
    for (const manifest of manifestsOf(copy.versions)) {
      try {
        const table = await copy.connection.openTable(name)
        await table.countRows()
        if (!versionOf(manifest).includes(BigInt(await table.version()))) throw new Error('it is a copy')
        if (wanted !== null) await checkedOut(table, wanted)
        return table
      } catch {
        rmSync(join(copy.versions, manifest))
      }
    }
    return null
  }

  async #copied(name: string): Promise<Copy> {
    this.#scratch ??= mkdtempSync(join(tmpdir(), 'audition-repair-'))
    const scratch = this.#scratch
    const [from, to] = [join(this.#store.location, `${name}.lance`), join(scratch, `${name}.lance`)]
    mkdirSync(to)
    for (const part of readdirSync(from)) {
      if (part === versionsFolder) cpSync(join(from, part), join(to, part), { recursive: true })
      else symlinkSync(join(from, part), join(to, part), 'junction')
    }
    const versions = join(to, versionsFolder)
    // It may name a version that is about to be passed over.
    rmSync(join(versions, 'latest_version_hint.json'), { force: true })
    const copy = { connection: await connectTo(scratch), versions }
    this.#copies.set(name, copy)
    return copy
  }

  close(): void {
    for (const { connection } of this.#copies.values()) connection.close()
    if (this.#scratch !== null) rmSync(this.#scratch, { recursive: true, force: true })
  }
}

async function checkedOut(table: Table, version: number): Promise<void> {
  try {
    await table.checkout(version)
    await table.countRows()
  } catch {
    await table.checkoutLatest()
  }
}

/** Whether a version that was written after the newest one is gone. */
function isBehind(location: StoreLocation, name: string): boolean {
  const { newest, written } = tableWithWritten(location, name)
  return newest !== null && written !== null && written > newest
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const versionsFolder = '_versions'

/** Names of manifests, that of the newest version first: LanceDB counts them down from the largest number of 64 bits. */
const manifestsOf = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.manifest'))
    .sort((a, b) => (BigInt(stem(a)) < BigInt(stem(b)) ? -1 : 1))

const stem = (name: string): string => (/^\d+(?=\.manifest$)/.exec(name) ?? ['0'])[0]

/** Rows of one column that could be read, and how many could not. */
type ReadableRows = { readonly values: readonly string[]; readonly unreadable: number }

/** Reads that may fail before the rest is given up: each costs about a millisecond. */
const mostFailures = 500

/**
 * Reads a column of texts as far as it can be read: where a read fails its halves are tried, down to single rows. Damage of a
 * page takes its rows with it, damage of a file's end all of the file.
 */
export async function readableRows(table: Table, column: string): Promise<ReadableRows> {
  const values: string[] = []
  let unreadable = 0
  let failures = 0

  const read = async (from: number, count: number): Promise<void> => {
    if (count === 0) return
    if (failures >= mostFailures) {
      unreadable += count
      return
    }
    const found = await rowsOf(table, column, { from, count }).catch(() => null)
    if (found !== null) {
      for (const value of found) values.push(value)
      return
    }
    failures += 1
    if (count === 1) {
      unreadable += 1
      return
    }
    const half = Math.floor(count / 2)
    await read(from, half)
    await read(from + half, count - half)
  }

  await read(0, await table.countRows())
  return { values, unreadable }
}

/** @throws Error when a row cannot be read, or fewer come than there are */
async function rowsOf(
  table: Table,
  column: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly string[]> {
  const rows = await table.query().select([column]).offset(from).limit(count).toArrow()
  const texts = rows.getChild(column)
  if (rows.numRows !== count || texts === null) throw new Error(`${rows.numRows} rows came of ${count}`)
  return Array.from({ length: count }, (_, row) => {
    const value: unknown = texts.get(row)
    if (typeof value !== 'string') throw new Error(`row ${from + row} holds no text`)
    return value
  })
}
