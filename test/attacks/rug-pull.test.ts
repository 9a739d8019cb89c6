import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../catalog/temporary-folder.ts'
import { type CompiledScript, compileScript } from '../fixtures/compile-script.ts'
import { changes } from './rug-pull/changes.ts'
import { killDecisions } from './rug-pull/kill-decisions.ts'
import { faultOf } from './rug-pull/play.ts'
import { playAll, rugPull } from './rug-pull/rug-pull.ts'

let server: CompiledScript
let decider: CompiledScript
beforeAll(() => {
  server = compileScript('test/attacks/rug-pull/changing-server.ts')
  decider = compileScript('test/attacks/rug-pull/decider.ts')
}, 120_000)
afterAll(() => {
  server.remove()
  decider.remove()
})

test.each([
  { transport: 'stdio', whats: ['renamed and changed at once', 'order of the tools'] },
  { transport: 'http', whats: ['two tools swap descriptions', 'version of the server'] },
] as const)(
  'a real server over $transport changes nothing that is in search',
  async ({ transport, whats }) => {
    const chosen = changes(20).filter(({ what }) => (whats as readonly string[]).includes(what))
    const played = await playAll(chosen, transport, join(temporaryFolder(), transport), server.script)
    expect(played.map((one) => [one.change.kind, one.held.length > 0, faultOf(one)])).toEqual([
      ['hostile', true, ''],
      ['harmless', false, ''],
    ])
  },
  60_000,
)

test('a decision whose process is killed is made or not made, and one that was acknowledged is kept', async () => {
  const scripts = { server: server.script, decider: decider.script }
  const killed = await killDecisions(temporaryFolder(), scripts, [0.5, 5])
  expect(killed).toMatchObject({ trials: 2, faults: [] })
  expect(killed.acknowledged).toBeGreaterThan(0)
}, 120_000)

test('the suite is listed by its name', () => {
  expect(rugPull.name).toBe('rug-pull')
})
