import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const api = join(root, 'docs', 'api')
const typedoc = join(api, 'node_modules', 'typedoc', 'bin', 'typedoc')
const has = existsSync(typedoc)
const linesOf = (folder: string, page: string): readonly string[] =>
  readFileSync(join(folder, page), 'utf8').split('\n')

test.skipIf(!has)(
  `the API reference is what the sources say${has ? '' : ' (skipped: npm run api installs TypeDoc)'}`,
  async () => {
    const made = mkdtempSync(join(tmpdir(), 'audition-api-'))
    onTestFinished(() => rmSync(made, { recursive: true, force: true }))
    const options = ['--options', join(api, 'typedoc.json'), '--out', made]
    await promisify(execFile)(process.execPath, [typedoc, ...options], { cwd: root })
    for (const page of ['README.md', 'audition-mcp.md', 'audition-mcp/hosts.md']) {
      const [kept, now] = [linesOf(api, page), linesOf(made, page)]
      const stale = kept.filter((line) => !now.includes(line))
      const missing = now.filter((line) => !kept.includes(line))
      expect({ stale, missing }, `${page}: run \`npm run api\``).toEqual({ stale: [], missing: [] })
      expect(kept, `${page}: run \`npm run api\``).toEqual(now)
    }
  },
  300_000,
)
