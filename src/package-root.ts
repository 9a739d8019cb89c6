import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Absolute folder of this package: where `package.json`, `catalog` and `embeddings` lie, from `src`, from `dist` and
 * from the scripts compiled below it.
 */
export const packageRoot = nearestPackage(dirname(dirname(fileURLToPath(import.meta.url))))

function nearestPackage(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : nearestPackage(parent)
}
