import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of all files in a folder; what goes meanwhile counts nothing. */
export async function bytesIn(folder: string): Promise<number> {
  let sum = 0
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile() === true) sum += file.size
  }
  return sum
}
