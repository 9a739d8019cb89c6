import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes a file that nobody else may read. Whoever reads it meanwhile finds the old one or the new one whole. */
export async function replaceWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID().slice(0, 8)}`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
