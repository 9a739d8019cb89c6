import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { commitSeries, listing, storeFolder } from './stores.ts'

let readOnly: CompiledScript
let closed: CompiledScript
beforeAll(() => {
  readOnly = compileScript('test/fixtures/read-only-store.ts')
  closed = compileScript('test/fixtures/closed-store.ts')
})
afterAll(() => {
  readOnly.remove()
  closed.remove()
})

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
      execFileSync(process.execPath, [readOnly.script, home], { encoding: 'utf8' }),
    )
    expect(outcome).toEqual({
      found: 3,
      hashes: expect.any(Number),
      sources: 1,
      state: 'ready',
      refusal: expect.stringMatching(/^StoreError: The store in .* cannot be written: EACCES/),
    })
    expect(outcome).not.toMatchObject({ hashes: 0 })
    expect(listing(home)).toEqual(before)
  },
)

test.skipIf(isWindows)(
  'a store that may not be read is not taken for an empty one, whether its folder is closed or one above',
  async () => {
    const home = storeFolder()
    const above = storeFolder()
    await commitSeries(home, { tool: 1, agent: 1 })
    mkdirSync(above)
    for (const folder of [home, above]) {
      chmodSync(dirname(folder), 0o755)
      chmodSync(folder, 0)
      onTestFinished(() => chmodSync(folder, 0o755))
    }
    const homes = [home, join(above, 'store')]
    const outcome: unknown = JSON.parse(
      execFileSync(process.execPath, [closed.script, ...homes], { encoding: 'utf8' }),
    )
    const reason = 'you may not read it (permission denied)'
    const expected = homes.map((folder) => {
      const refusal = `StoreError: The store in ${folder} cannot be opened: ${reason}.`
      const ways = ['search', 'sources', 'record', 'index', 'preview'].map((way) => [way, refusal])
      return { ...Object.fromEntries(ways), diagnosis: `unreadable: ${reason}` }
    })
    expect(outcome).toEqual(expected)
  },
)
