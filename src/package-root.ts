import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Absolute folder of this package: where `package.json`, `catalog` and `embeddings` lie, from `src`, from `dist`, from the scripts
 * compiled below it, and from the packages beside it that have parts of it compiled in.
 */
export const packageRoot = packageAbove(dirname(dirname(fileURLToPath(import.meta.url))))

/** The nearest package at a folder or above that holds a catalog, or stands there as an installed package; else the root. */
export function packageAbove(folder: string): string {
  const parent = dirname(folder)
  const found = [folder, join(folder, 'audition-mcp')].find(
    (path) => existsSync(join(path, 'package.json')) && existsSync(join(path, 'catalog')),
  )
  return found ?? (parent === folder ? folder : packageAbove(parent))
}
