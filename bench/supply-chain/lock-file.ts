import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package as `package-lock.json` pins it. */
export type LockedPackage = {
  /** Where npm installs it: `node_modules/a/node_modules/b`. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** As its publisher states it, an SPDX expression; null when the lock file tells none. */
  readonly licence: string | null
  /** Subresource integrity of its archive; null where there is none. */
  readonly integrity: string | null
  /** Where its archive comes from, if the lock file says so: else the registry. */
  readonly resolved: string | null
  readonly hasInstallScript: boolean
  /** What users get: installed for them, if only where npm can, or bundled into what we build. */
  readonly isProduction: boolean
  /** A user can do without. */
  readonly isOptional: boolean
}

/** Packages that stand in the built pages: users get them, though development alone installs them. */
export const bundledPackages: readonly string[] = ['preact', 'preact-render-to-string']

type Entry = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
}

/** @param root - folder of the `package-lock.json`. @throws Error when it is of another version than 3 */
export function readLock(root: string): readonly LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    lockfileVersion?: number
    packages?: { readonly [path: string]: Entry }
  }
  if (lock.lockfileVersion !== 3 || lock.packages === undefined)
    throw new Error(
      `package-lock.json has version ${lock.lockfileVersion}; version 3 is read. Run npm install.`,
    )
  return (
    Object.entries(lock.packages)
      // Without the packages that lie in this repository.
      .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
      .map(([path, entry]) => ({ path, entry, name: path.slice(path.lastIndexOf('node_modules/') + 13) }))
      .map(({ path, entry, name }) => ({
        path,
        name,
        version: entry.version ?? '',
        licence: entry.license ?? null,
        integrity: entry.integrity ?? null,
        resolved: entry.resolved ?? null,
        hasInstallScript: entry.hasInstallScript === true,
        isProduction: entry.dev !== true || bundledPackages.includes(name),
        isOptional: entry.optional === true || entry.devOptional === true,
      }))
  )
}
