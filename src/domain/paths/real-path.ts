import { realpathSync } from 'node:fs'

/** Where a path leads when all links are followed; the path itself when it leads nowhere. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
