import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RemedyError } from '../domain/remedy-error.ts'
import { writingTo } from '../evaluation/runs/writable.ts'
import type { MadeTasks } from './make-tasks.ts'

/** Where the report of a file of tasks lies. */
const reportOf = (file: string): string => `${file}.report.json`

/**
 * Before anything is paid for.
 *
 * @throws RemedyError when the file is there and was not made here: somebody's work must not be lost
 */
export function requireOwnFile(file: string): void {
  if (!existsSync(file) || existsSync(reportOf(file))) return
  throw new RemedyError(
    `${file}: the file is there, and no report of made tasks beside it.`,
    'Name another with --out.',
  )
}

/** What became of a set that was made, and the tasks that the file had before. */
export type KeptTasks = { readonly isWritten: boolean; readonly earlier: number }

/**
 * Writes tasks, one a line, and the report beside them. What is there stays as it is where nothing was made, and where a run that was
 * stopped made fewer. Both are written beside first: each file is whole or as it was before.
 *
 * @throws UnwritableError
 */
export async function writeTasks(file: string, { tasks, report }: MadeTasks): Promise<KeptTasks> {
  const earlier = existsSync(file) ? tasksIn(await readFile(file, 'utf8')) : 0
  const isWritten = tasks.length > 0 && (report.stopped === undefined || tasks.length >= earlier)
  if (isWritten)
    await writingTo(file, async () => {
      await mkdir(dirname(file), { recursive: true })
      await writeWhole([
        [reportOf(file), `${JSON.stringify(report, null, 2)}\n`],
        [file, tasks.map((task) => `${JSON.stringify(task)}\n`).join('')],
      ])
    })
  return { isWritten, earlier }
}

const tasksIn = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length

async function writeWhole(files: readonly (readonly [file: string, text: string])[]): Promise<void> {
  const parts = files.map(([file, text]) => ({ file, text, part: `${file}.${randomUUID()}.part` }))
  try {
    for (const { part, text } of parts) await writeFile(part, text)
    for (const { part, file } of parts) await rename(part, file)
  } catch (error) {
    for (const { part } of parts) await rm(part, { force: true })
    throw error
  }
}
