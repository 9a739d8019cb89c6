import { RemedyError } from '../../domain/remedy-error.ts'
import type { Target } from '../block.ts'
import { chmod, mkdir, open, readdir, rename, rm, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createHash } from 'node:crypto'

/**
 * Writes beside the file and renames, so that no reader ever meets half a file, and nothing lies about afterwards.
 *
 * @param mode - permissions to keep; a new file gets what the user's mask gives
 * @param isStill - asked last: whether the file still says what the new text was made from
 * @returns whether it was written, and the first folder that was made for it
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode, isStill }: { readonly mode?: number; readonly isStill: () => Promise<boolean> },
): Promise<{ readonly written: boolean; readonly madeFolder?: string }> {
  const fresh = `${path}.${process.pid}.new`
  try {
    const madeFolder = await mkdir(dirname(path), { recursive: true })
    const file = await open(fresh, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (mode !== undefined) await chmod(fresh, mode)
    const made = madeFolder === undefined ? {} : { madeFolder }
    if (!(await isStill())) {
      await rm(fresh, { force: true })
      return { written: false, ...made }
    }
    await rename(fresh, path)
    return { written: true, ...made }
  } catch (cause) {
    await rm(fresh, { force: true }).catch(() => undefined)
    if (cause instanceof HostConfigError) throw cause
    throw new HostConfigError(
      `${path}: cannot be written (${String(codeOf(cause) ?? cause)}).`,
      'Check its permissions.',
      { cause },
    )
  }
}

/** `ENOENT` and its like. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** A host's configuration cannot be written without harm; nothing was written. */
export class HostConfigError extends RemedyError {
  override readonly name = 'HostConfigError'
}

/** What was hired, and by which host. */
export type Hired = {
  readonly id: string
  readonly host: string
  /** The project that it was hired for; null: for the user, everywhere. */
  readonly folder: string | null
}

/** An entry that Audition wrote into a configuration. */
export type KeptEntry = Omit<Target, 'path'> & { readonly hired?: Hired }

/** A configuration as it was before Audition first wrote to it. */
export type KeptConfig = {
  /** Absolute path of the file, links followed. */
  readonly path: string
  /** Its text; null when there was no file. */
  readonly before: string | null
  /** SHA-256 of what Audition wrote. */
  readonly written: string
  /** The first folder that was made for the file. */
  readonly madeFolder?: string
  /** Our entries that it has, in the order of their writing. */
  readonly entries: readonly KeptEntry[]
  /** Whom a file is of that Audition wrote as a whole. */
  readonly hired?: Hired
}

/** Where configurations are kept until their change is undone or no longer the last. */
export type KeptConfigs = {
  readonly of: (path: string) => Promise<KeptConfig | null>
  readonly all: () => Promise<readonly KeptConfig[]>
  /** @returns the absolute path of the file that keeps it */
  readonly keep: (config: KeptConfig) => Promise<string>
  readonly forget: (path: string) => Promise<void>
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function readKept(file: string): Promise<KeptConfig | null> {
  try {
    return { entries: [], ...(JSON.parse(await readFile(file, 'utf8')) as Partial<KeptConfig>) } as KeptConfig
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

/** Configurations hold secrets: nobody but the user may read what is kept in this folder. */
export function keptConfigsIn(folder: string): KeptConfigs {
  const fileOf = (path: string) => join(folder, `${hashOf(path).slice(0, 24)}.json`)
  return {
    of: (path) => readKept(fileOf(path)),
    async all() {
      const names = await readdir(folder).catch(() => [])
      const kept = names.filter((name) => name.endsWith('.json')).map((name) => readKept(join(folder, name)))
      return (await Promise.all(kept)).filter((one) => one !== null)
    },
    async keep(config) {
      const file = fileOf(config.path)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      await writeFile(`${file}.new`, JSON.stringify(config), { mode: 0o600 })
      await rename(`${file}.new`, file)
      return file
    },
    forget: (path) => rm(fileOf(path), { force: true }),
  }
}
