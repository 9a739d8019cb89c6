import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../../domain/json.ts'
import { parseSealed, sealed } from '../../../domain/text/sealed-json.ts'
import type { States } from '../commit/head.ts'
import { isRemote, type StoreLocation } from '../store-location.ts'

/**
 * A copy of what the store remembers of its sources and of what the user decided of them, beside its tables: no source can bring that
 * back. Read by repairs alone.
 */
export type StatesCopy = States & {
  /** The name of the states that were copied. */
  readonly state: string
}

export const statesCopyFile = (location: StoreLocation): string => join(location, 'sources.json')

/** Replaces the copy. */
export function writeStatesCopy(location: StoreLocation, copy: StatesCopy): void {
  if (isRemote(location)) return
  const file = statesCopyFile(location)
  const draft = `${file}.${randomUUID().slice(0, 8)}`
  try {
    writeFileSync(draft, `${sealed(JSON.stringify(copy))}\n`)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** @returns null when there is none, or it is not what was written */
export function readStatesCopy(location: StoreLocation): StatesCopy | null {
  try {
    const copy = parseSealed(readFileSync(statesCopyFile(location), 'utf8').trimEnd())
    return isJsonObject(copy) && Array.isArray(copy.sources) && Array.isArray(copy.reviews)
      ? (copy as unknown as StatesCopy)
      : null
  } catch {
    return null
  }
}
