import { lstat, readFile, rm } from 'node:fs/promises'
import { sep } from 'node:path'
import {
  hashOf,
  type Hired,
  HostConfigError,
  type KeptConfig,
  type KeptConfigs,
  replaceFile,
} from './replace-file.ts'
import { removeMade } from './write-config.ts'

/** A file that is not there yet. */
export type NewFile = { readonly path: string; readonly text: string; readonly mode?: number }

/** @throws HostConfigError when one of them is there already */
export async function assertNew(files: readonly NewFile[]): Promise<void> {
  for (const { path } of files)
    if (await isThere(path))
      throw new HostConfigError(`${path} is there already.`, 'Rename it, or take it away.')
}

/** Writes files for a host, all or none. @throws HostConfigError */
export async function writeNewFiles(
  files: readonly NewFile[],
  hired: Hired,
  kept: KeptConfigs,
): Promise<void> {
  await assertNew(files)
  const done: KeptConfig[] = []
  try {
    for (const { path, text, mode } of files) {
      const state: KeptConfig = { path, before: null, written: hashOf(text), entries: [], hired }
      done.push(state)
      await kept.keep(state)
      const { written, madeFolder } = await replaceFile(path, text, {
        ...(mode === undefined ? {} : { mode }),
        isStill: async () => !(await isThere(path)),
      })
      if (!written) throw new HostConfigError(`${path} is there already.`, 'Try again.')
      if (madeFolder === undefined) continue
      done.push({ ...done.pop()!, madeFolder })
      await kept.keep(done.at(-1)!)
    }
  } catch (error) {
    const failed = done.pop()
    if (failed !== undefined) await kept.forget(failed.path)
    await removeNewFiles(done, kept)
    throw error
  }
}

/**
 * Takes files away that {@link writeNewFiles} wrote, and the folders that it made; none when one was changed.
 *
 * @throws HostConfigError
 */
export async function removeNewFiles(states: readonly KeptConfig[], kept: KeptConfigs): Promise<void> {
  for (const { path, written } of states) {
    if ((await isThere(path)) && hashOf(await readFile(path, 'utf8')) !== written)
      throw new HostConfigError(`${path} was changed since it was written.`, 'Take it away by hand.')
  }
  const depth = ({ path }: KeptConfig): number => path.split(sep).length
  for (const { path } of states) await rm(path, { force: true })
  for (const state of states.toSorted((one, other) => depth(other) - depth(one))) {
    await removeMade(state.path, state)
    await kept.forget(state.path)
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
