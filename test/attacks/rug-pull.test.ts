import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../catalog/temporary-folder.ts'
import { type CompiledScript, compileScript } from '../fixtures/compile-script.ts'
import { changes } from './rug-pull/changes.ts'
import { killDecisions } from './rug-pull/kill-decisions.ts'
import { faultOfRun } from './rug-pull/live-findings.ts'
import { liveTrials } from './rug-pull/live-trials.ts'
import { faultOf } from './rug-pull/play.ts'
import { playAll, rugPull } from './rug-pull/rug-pull.ts'
import { runTrials } from './rug-pull/run-with-tools.ts'

let server: CompiledScript
let decider: CompiledScript
beforeAll(() => {
  server = compileScript('test/attacks/rug-pull/changing-server.ts')
  decider = compileScript('test/attacks/rug-pull/decider.ts')
})
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

test.each([
  { what: 'nothing', source: 'untrusted', because: [] },
  { what: 'description gets one sentence more', source: 'untrusted', because: ['changed'] },
  { what: 'optional parameter added', source: 'untrusted', because: ['changed'] },
  { what: 'a tool more', source: 'untrusted', because: ['new'] },
  { what: 'server gives another name of itself', source: 'untrusted', because: ['server'] },
  { what: 'a change and a tool more', source: 'trusted', because: [] },
  { what: 'a change and a tool more', source: 'accepted', because: [] },
  { what: 'a change and a tool more', source: 'unknown', because: [] },
  { what: 'a poisoned description', source: 'trusted', because: ['finding'] },
  { what: 'a poisoned description', source: 'unknown', because: ['finding'] },
])(
  'a running model gets of a server that is $source, by "$what", what it may have and no more',
  async ({ what, source, because }) => {
    const trial = liveTrials(20).find((one) => one.what === what && one.source === source)
    const [run] = await runTrials([trial!], join(temporaryFolder(), 'live'), server.script)
    expect(faultOfRun(run!)).toBe('')
    expect([...new Set(run!.withheld.map((one) => one.because))]).toEqual(because)
  },
  30_000,
)

test('a decision whose process is killed is made or not made, and one that was acknowledged is kept', async () => {
  const scripts = { server: server.script, decider: decider.script }
  const killed = await killDecisions(temporaryFolder(), scripts, [0.5, 5])
  expect(killed).toMatchObject({ trials: 2, faults: [] })
  expect(killed.acknowledged).toBeGreaterThan(0)
})

test('the suite is listed by its name', () => {
  expect(rugPull.name).toBe('rug-pull')
})
