import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { RemedyError } from '../../domain/remedy-error.ts'
import { writingTo } from '../../evaluation/runs/writable.ts'

/**
 * Writes files into a folder, which is made where it is not there. A file that says the same stays.
 *
 * @returns their paths, in the order given
 * @throws RemedyError when a file of that name says something else (nothing is written then), or the folder cannot be written
 */
export function writeTexts(
  given: string,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<readonly string[]> {
  const folder = resolve(given)
  return writingTo(folder, async () => {
    const fresh = []
    for (const { name, text } of files) {
      const there = await textOf(join(folder, name))
      if (there === undefined) fresh.push({ file: join(folder, name), text })
      else if (there !== text)
        throw new RemedyError(
          `${join(folder, name)} is there already, and says something else.`,
          'Remove it, or name another folder. Nothing was written.',
        )
    }
    await mkdir(folder, { recursive: true })
    for (const { file, text } of fresh) await writeFile(file, text, { flag: 'wx' })
    return files.map(({ name }) => join(folder, name))
  })
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
