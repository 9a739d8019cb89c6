import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolveLaunch } from '../../../src/adapters/processes/resolve-launch.ts'
import { commandParts } from '../../../src/trust/launches/bound-server.ts'
import { boundLaunch } from '../../../src/trust/launches/bound-launch.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'

export type Files = { readonly [path: string]: string }

/** A project that git keeps, and what of it a command line binds. */
export function gitProject(files: Files) {
  const folder = temporaryFolder()
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries({ '.mcp.json': '{}', '.gitignore': 'built\n', ...files }))
    write(path, text)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const keep = () => execFileSync('git', ['add', '-A'], { cwd: folder })
  keep()
  const bound = (line: readonly string[], env: Files = {}) => {
    const [command = '', ...args] = line
    const launch = { command, args, cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } }
    const said = join(folder, '.mcp.json')
    return boundLaunch(said, commandParts({ command, args }, resolveLaunch(launch, said)))
  }
  return { folder, write, keep, bound }
}
