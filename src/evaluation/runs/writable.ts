import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { RemedyError } from '../../domain/remedy-error.ts'
import { dirname, join } from 'node:path'

/** A place on the disk cannot be written. The message says where and why; the remedy what to do. */
export class UnwritableError extends RemedyError {
  override readonly name = 'UnwritableError'
}

/** What the system says in one word. */
const reasons: { readonly [code: string]: string } = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the disk may only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
  ENOENT: 'its folder does not exist',
}

/**
 * Does what writes to a place.
 *
 * @throws UnwritableError in place of the system's own error
 */
export async function writingTo<T>(place: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && 'syscall' in cause)) throw cause
    throw new UnwritableError(
      `${place}: cannot be written: ${reasons[String(cause.code)] ?? cause.message} (${cause.code}).`,
      'Check its permissions and the room on the disk, or name another place.',
      { cause },
    )
  }
}

/**
 * Whether a file can be written later. What it holds stays, and nothing new is left behind.
 *
 * @throws UnwritableError
 */
export const requireWritableFile = (file: string): Promise<void> =>
  writingTo(file, async () => {
    const there = statSync(file, { throwIfNoEntry: false })
    if (there === undefined) return leaveNothingIn(dirname(file))
    if (there.isFile() || there.isDirectory()) await (await open(file, 'a')).close() // a pipe is none to try
  })

/**
 * Whether files can be written into a folder that may be yet to be made.
 *
 * @throws UnwritableError
 */
export const requireWritableFolder = (folder: string): Promise<void> =>
  writingTo(folder, () => leaveNothingIn(folder))

/** Makes a file in the folder, or in the nearest above it that is there, and takes it away again. */
async function leaveNothingIn(folder: string): Promise<void> {
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  const probe = join(nearest, `.audition-${randomUUID()}.part`)
  await (await open(probe, 'wx')).close()
  await rm(probe)
}
