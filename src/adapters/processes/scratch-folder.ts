import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'audition-run-'
/** Hours after which nothing can still run in a folder: a run takes 24 at most. */
const staleHours = 25

/** A new empty folder for one run, readable by us alone. Those that killed processes of ours left behind are removed a day later. */
export async function scratchFolder(): Promise<string> {
  await removeStale()
  return mkdtemp(join(tmpdir(), prefix))
}

async function removeStale(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  const before = Date.now() - staleHours * 3_600_000
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    const found = await lstat(folder).catch(() => null)
    const isOurs =
      found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid())
    if (isOurs && found.mtimeMs < before) await removeScratch(folder)
  }
}

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
