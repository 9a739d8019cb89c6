import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
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

/** Writes tasks, one a line, and the report beside them. Each file is whole or as it was before. @throws UnwritableError */
export async function writeTasks(file: string, { tasks, report }: MadeTasks): Promise<void> {
  await writingTo(file, async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeWhole(reportOf(file), `${JSON.stringify(report, null, 2)}\n`)
    await writeWhole(file, tasks.map((task) => `${JSON.stringify(task)}\n`).join(''))
  })
}

async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`
  try {
    await writeFile(part, text)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
