import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Finds what lies beside the code, from its sources and from what is compiled of them: the first of these paths that
 * exists in the folder of a module or in one above.
 *
 * @param module - `import.meta.url`
 * @returns the last path at the root of the file system when there is none
 */
export function nearest(module: string, ...paths: readonly string[]): string {
  const search = (folder: string): string => {
    const candidates = paths.map((path) => join(folder, path))
    const found = candidates.find((path) => existsSync(path))
    const parent = dirname(folder)
    return found ?? (parent === folder ? candidates.at(-1)! : search(parent))
  }
  return search(dirname(fileURLToPath(module)))
}
