import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of all files in a folder; what goes meanwhile counts nothing. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let sum = 0
  for (const entry of entries)
    if (entry.isFile())
      sum += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  return sum
}
