import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder for one run, readable by us alone. */
export const scratchFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'audition-run-'))

/** Removes it with all that is in it, also what its program made unreadable. Never throws: what stays is in the temporary folder. */
export async function removeScratch(folder: string): Promise<void> {
  const attempt = () => rm(folder, { recursive: true, force: true, maxRetries: 2 })
  await attempt().catch(async () => {
    await openUp(folder)
    await attempt().catch(() => {})
  })
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {})
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => openUp(join(folder, name))),
  )
}
