import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { commitSeries, listing, storeFolder } from './stores.ts'

let compiled: CompiledScript
beforeAll(() => {
  compiled = compileScript('test/fixtures/read-only-store.ts')
})
afterAll(() => compiled.remove())

/** The user that the script becomes when it is started by the super-user. */
const nobody = 65534

/** Gives all files to nobody when this is the super-user's process, and folders this mode. */
function hand(folder: string, mode: 0o555 | 0o755): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const isRoot = process.getuid?.() === 0
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (isRoot) chownSync(path, nobody, nobody)
    if (entry.isDirectory()) chmodSync(path, mode)
  }
  chmodSync(folder, mode)
}

const isWindows = process.platform === 'win32'

test.skipIf(isWindows)(
  'a store that may only be read is searched, previewed and diagnosed, and refuses an index run in words',
  async () => {
    const home = storeFolder()
    await commitSeries(home, { tool: 1, agent: 1 })
    chmodSync(dirname(home), 0o755)
    hand(home, 0o555)
    onTestFinished(() => hand(home, 0o755))
    const before = listing(home)
    const outcome: unknown = JSON.parse(
      execFileSync(process.execPath, [compiled.script, home], { encoding: 'utf8' }),
    )
    expect(outcome).toEqual({
      found: 3,
      hashes: expect.any(Number),
      sources: 1,
      state: 'ready',
      refusal: expect.stringMatching(
        /^StoreError: The store in .* cannot be written: EACCES.* Check the folder's permissions/,
      ),
    })
    expect(outcome).not.toMatchObject({ hashes: 0 })
    expect(listing(home)).toEqual(before)
  },
)
