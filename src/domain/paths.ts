import { realpathSync, statSync } from 'node:fs'
import nodePath from 'node:path'
import type { PlatformPath } from 'node:path'

/** A folder, and what may lie in it: absolute paths. */
type Place = { readonly folder: string; readonly path: string }

/**
 * Whether a path is the folder, or lies in it or below: the one rule for all that decides by a path what may be read, shown or
 * started. Compared by whole names once `.` and `..` are resolved, in upper and lower case as the platform has it. A relative path
 * or a URL lies in no folder. Links are not followed: a caller to whom it matters where they lead passes real paths.
 */
export const contains = containsBy(nodePath)

/** {@link contains} by the rules of a platform: `posix` or `win32` of `node:path`. */
export function containsBy(rules: PlatformPath): (place: Place) => boolean {
  return ({ folder, path }) => {
    if (!rules.isAbsolute(folder) || !rules.isAbsolute(path)) return false
    const way = rules.relative(folder, path)
    return way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way)
  }
}

/** Where a path leads when all links are followed; the path itself when it leads nowhere. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Whether a folder stands there, if only behind a link; no where nobody may look. */
export const isFolder = (path: string): boolean => stands(path)?.isDirectory() ?? false

/** Whether a file stands there, if only behind a link; no where nobody may look. */
export const isFile = (path: string): boolean => stands(path)?.isFile() ?? false

/** A path that may be read. @throws Error where a pipe, a device or a folder stands: reading a pipe may never end */
export function readable(path: string): string {
  const found = stands(path)
  if (found !== undefined && !found.isFile()) throw new Error(`${path} is no file`)
  return path
}

function stands(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
