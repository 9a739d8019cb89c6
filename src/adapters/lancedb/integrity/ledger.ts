import { randomUUID } from 'node:crypto'
import { type Stats, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../../domain/json.ts'
import { parseSealed, sealed } from '../../../domain/text/sealed-json.ts'
import { isRemote, type StoreLocation } from '../store-location.ts'

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
  /** Whether there is a list at all: stores of an older Audition have none until something is written. */
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
  return { sums, damaged, isThere: true }
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
  const file = ledgerFile(location)
  const draft = `${file}.${randomUUID().slice(0, 8)}`
  const lines = Array.from(sums, (sum) => `${sealed(JSON.stringify(sum))}\n`)
  try {
    writeFileSync(draft, lines.join(''))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
