import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostConfigError } from './host-config-error.ts'

/**
 * Writes beside the file and renames, so that no reader ever meets half a file, and nothing lies about afterwards.
 *
 * @param mode - permissions to keep; a new file gets what the user's mask gives
 * @param isStill - asked last: whether the file still says what the new text was made from
 * @returns whether it was written, and the first folder that was made for it
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode, isStill }: { readonly mode?: number; readonly isStill: () => Promise<boolean> },
): Promise<{ readonly written: boolean; readonly madeFolder?: string }> {
  const fresh = `${path}.${process.pid}.new`
  try {
    const madeFolder = await mkdir(dirname(path), { recursive: true })
    const file = await open(fresh, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (mode !== undefined) await chmod(fresh, mode)
    const made = madeFolder === undefined ? {} : { madeFolder }
    if (!(await isStill())) {
      await rm(fresh, { force: true })
      return { written: false, ...made }
    }
    await rename(fresh, path)
    return { written: true, ...made }
  } catch (cause) {
    await rm(fresh, { force: true }).catch(() => undefined)
    if (cause instanceof HostConfigError) throw cause
    throw new HostConfigError(
      `${path}: cannot be written (${String(codeOf(cause) ?? cause)}).`,
      'Check its permissions.',
      { cause },
    )
  }
}

/** `ENOENT` and its like. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
