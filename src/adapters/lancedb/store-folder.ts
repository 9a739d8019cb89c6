import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { StoreError } from './store-error.ts'

/**
 * Whether there is a folder for a local store.
 *
 * @throws StoreError when it is no folder, or cannot be looked into: that must not look like a store without cards
 */
export function isFolderThere(location: string): boolean {
  try {
    if (!statSync(location).isDirectory()) throw cannotBeOpened(location, 'it is a file, not a folder')
    accessSync(location, constants.R_OK | constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof StoreError) throw error
    const code = codeOf(error)
    if (code === 'ENOENT') return false
    throw cannotBeOpened(location, reasons[code] ?? `the system says ${code}`, error)
  }
}

/** Names in a folder; none when it is not there. @throws the system's error when it cannot be looked into */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

const reasons: { readonly [code: string]: string } = {
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'you may not read it (permission denied)',
  EPERM: 'you may not read it (permission denied)',
  ELOOP: 'its path is a link that leads to itself',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

const cannotBeOpened = (location: string, reason: string, cause?: unknown): StoreError =>
  new StoreError(
    `The store in ${location} cannot be opened: ${reason}.`,
    'Make it a folder that you may read and write, or set AUDITION_HOME to another one.',
    { reason, cause },
  )
