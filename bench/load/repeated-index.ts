import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ChangingCatalog } from './changing-catalog.ts'

/** What indexing in another process came to. */
type RepeatedIndex = {
  /** Runs that ended well, each of which committed a revision. */
  commits(): number
  /** Resolves when the last run has ended. @throws Error with what a run wrote, when it failed */
  readonly ended: Promise<void>
}

/** What an `audition index` needs. */
type IndexOptions = {
  readonly program: string
  readonly env: { readonly [name: string]: string }
  readonly folder: string
}

/** Runs `audition index` in a process of its own. @throws Error with what it wrote, when it fails */
export async function runIndex({ program, env, folder }: IndexOptions): Promise<void> {
  const child = spawn(process.execPath, [program, 'index', folder, '--yes'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let reported = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      reported = `${reported}${chunk.toString('utf8')}`.slice(-4_000)
    })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`audition index ended with ${code}: ${reported}`)
}

/** Writes the next revision and indexes it, so many times over. */
export function indexRepeatedly(
  catalog: ChangingCatalog,
  times: number,
  options: Omit<IndexOptions, 'folder'>,
): RepeatedIndex {
  let commits = 0
  const run = async (): Promise<void> => {
    for (; commits < times; commits += 1) {
      catalog.advance()
      await runIndex({ ...options, folder: catalog.folder })
    }
  }
  return { commits: () => commits, ended: run() }
}
