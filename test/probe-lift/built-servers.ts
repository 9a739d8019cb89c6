import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Compiles the variants' servers as a release does, into a package folder of their own.
 *
 * @returns the folder that `${AUDITION_CATALOG}` names there, the configuration of the servers, how to remove all
 */
export function buildServers(): {
  readonly folder: string
  readonly catalogFolder: string
  readonly config: string
  remove(): void
} {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'probe-lift-'))
  const evals = join(folder, 'evals', 'probe-lift')
  mkdirSync(join(folder, 'dist', 'bundled'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  cpSync(join(root, 'evals', 'probe-lift'), evals, { recursive: true })
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  )
  const outDir = join(folder, 'dist', 'probe-lift')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.probe-lift.json', '--outDir', outDir], {
    cwd: root,
  })
  return {
    folder,
    catalogFolder: join(folder, 'dist', 'bundled'),
    config: join(evals, 'mcp.json'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
