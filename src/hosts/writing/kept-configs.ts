import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './replace-file.ts'

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
}

/** Where configurations are kept until their change is undone or no longer the last. */
export type KeptConfigs = {
  readonly of: (path: string) => Promise<KeptConfig | null>
  /** @returns the absolute path of the file that keeps it */
  readonly keep: (config: KeptConfig) => Promise<string>
  readonly forget: (path: string) => Promise<void>
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Configurations hold secrets: nobody but the user may read what is kept in this folder. */
export function keptConfigsIn(folder: string): KeptConfigs {
  const fileOf = (path: string) => join(folder, `${hashOf(path).slice(0, 24)}.json`)
  return {
    async of(path) {
      try {
        return JSON.parse(await readFile(fileOf(path), 'utf8')) as KeptConfig
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null
        throw error
      }
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
