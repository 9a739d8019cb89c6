import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../../domain/json.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import { parseSealed } from '../../../domain/text/sealed-json.ts'
import { readLedger } from '../integrity/ledger.ts'
import { tableFiles, unnamedData } from '../integrity/table-files.ts'
import { versionsListed } from '../integrity/verify-table.ts'
import type { StoreLocation } from '../store-location.ts'

/** Versions of a table that were listed, and are newer than all that are there; for people. Null when none are. */
export function versionsGone(location: StoreLocation, table: string): string | null {
  const listed = versionsListed(location, table)
  const { newest } = tableFiles(location, table)
  const gone = listed
    .filter(({ version }) => newest === null || version > newest)
    .sort((a, b) => (a.version < b.version ? -1 : 1))
  const [first, last] = [gone[0], gone.at(-1)]
  if (first === undefined || last === undefined) return null
  const written = new Date(Number.parseFloat(last.sum.touched)).toISOString().slice(0, 16).replace('T', ' ')
  return first === last
    ? `version ${last.version}, written ${written} UTC`
    : `versions ${first.version} to ${last.version}, the last written ${written} UTC`
}

/**
 * Outcomes in data files that are listed and that no version names any more. LanceDB does not open these: the outcomes are found by
 * their own checksums, as far as their text stands in the file as it was written. What was forgotten is in none of them.
 */
export function outcomesOfGone(location: StoreLocation, table: string): readonly Outcome[] {
  const { sums } = readLedger(location)
  return unnamedData(location, table, Number.MAX_SAFE_INTEGER)
    .filter((file) => sums.has(file))
    .flatMap((file) => sealedIn(readFileSync(join(location, file))).flatMap((text) => outcomeOf(text) ?? []))
}

/** An outcome as its table has it; null when it was changed after it was written. */
export function outcomeOf(text: string): Outcome | null {
  try {
    const outcome: unknown = parseSealed(text)
    if (!isJsonObject(outcome)) return null
    const { id, card, task, time } = outcome
    const isWhole =
      [id, card, task].every((part) => typeof part === 'string') && !Number.isNaN(Date.parse(String(time)))
    return isWhole ? (outcome as unknown as Outcome) : null
  } catch {
    return null
  }
}

const opening = '{"sum":"'

/** Texts that look like JSON objects which carry a checksum. */
function sealedIn(bytes: Buffer): readonly string[] {
  const texts: string[] = []
  for (let at = bytes.indexOf(opening); at >= 0; at = bytes.indexOf(opening, at + 1)) {
    const end = endOfObject(bytes, at)
    if (end !== null) texts.push(bytes.toString('utf8', at, end))
  }
  return texts
}

const [quote, backslash, open, close, space] = [0x22, 0x5c, 0x7b, 0x7d, 0x20] as const

/** Where a JSON object ends that was written in one line; null when it does not. */
function endOfObject(bytes: Buffer, from: number): number | null {
  let depth = 0
  let isInText = false
  for (let at = from; at < bytes.length && bytes[at]! >= space; at += 1) {
    const byte = bytes[at]
    if (isInText && byte === backslash) at += 1
    else if (byte === quote) isInText = !isInText
    else if (!isInText && byte === open) depth += 1
    else if (!isInText && byte === close) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}
