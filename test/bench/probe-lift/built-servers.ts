import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Compiles the variants' servers as `npm run bench` does, into a package folder of their own.
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
  const variants = join(folder, 'bench', 'probe-lift', 'variants')
  mkdirSync(join(folder, 'dist', 'bundled'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  cpSync(join(root, 'bench', 'probe-lift', 'variants'), variants, { recursive: true })
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  )
  // As the benches are compiled, but for this one program and what it imports.
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = { outDir: join(folder, 'dist', 'bench'), rootDir: root }
  const files = [join(root, 'bench', 'probe-lift', 'variants', 'server.ts')]
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.bench.json'), compilerOptions, files, include: [] }),
  )
  execFileSync(process.execPath, [compiler, '-p', project], { cwd: root })
  return {
    folder,
    catalogFolder: join(folder, 'dist', 'bundled'),
    config: join(variants, 'mcp.json'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
