import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { realPath } from '../../../domain/paths.ts'
import type { StdioLaunch } from '../process-group.ts'
import type { Opening } from './sandbox.ts'

/** `.env`, `.env.local` and their like hold secrets; those that only show the form hold none. */
const isEnvironmentFile = (name: string): boolean =>
  /^\.env(?:\..+)?$/i.test(name) && !/\.(?:example|sample|template|dist|defaults?)$/i.test(name)

/** Folders whose own such files are nobody's secrets, and that are large. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__'])

/** How deep, and through how many entries, folders are looked through before a program starts. */
const most = { depth: 4, entries: 20_000 }

/**
 * Files of variables in folders that a program gets to see, which it is kept from unless the command line or the user's settings name the
 * file itself.
 */
export function environmentFiles(
  folders: readonly string[],
  { command, args, cwd }: StdioLaunch,
  { readable, writable }: Opening,
): readonly string[] {
  const words = [command, ...args].map((word) => resolve(cwd, word.replace(/^--?[\w-]+=/, '')))
  const named = new Set([...words, ...readable, ...writable].map(realPath))
  let entries = 0
  const found: string[] = []
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      entries += 1
      if (entries > most.entries) return
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (depth < most.depth && !passedOver.has(entry.name)) look(path, depth + 1)
      } else if (isEnvironmentFile(entry.name) && !named.has(realPath(path))) found.push(path)
    }
  }
  for (const folder of folders) look(folder, 0)
  return [...new Set(found)]
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // a file, or a folder that the program cannot list either
  }
}
