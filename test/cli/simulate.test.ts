import { describe, expect, test } from 'vitest'
import type { SimulateOptions } from '../../src/simulating/ports.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

/** Keeps what was asked for. */
function house() {
  const asked: (readonly [server: string, options: SimulateOptions | undefined])[] = []
  const call = () => Promise.reject(new Error('nobody calls'))
  const audition = scriptedAudition({
    async simulatedServer(source, options) {
      asked.push([source, options])
      return { source, tools: [], records: false, session: () => ({ call }) }
    },
  })
  const interruption = new AbortController()
  interruption.abort()
  const simulate = (...argv: string[]) =>
    runCaptured(['simulate', ...argv, '--http', '0'], audition, { signal: interruption.signal })
  return { asked, simulate }
}

describe('audition simulate', () => {
  test('serves until Ctrl-C, and says where', async () => {
    const { asked, simulate } = house()
    const { code, stderr } = await simulate('forge')
    expect(code).toBe(0)
    expect(stderr).toMatch(/Serving forge, simulated, at http:\/\/127\.0\.0\.1:\d+\/mcp/)
    expect(asked).toEqual([['forge', { mode: 'simulate', model: true }]])
  })

  test('flags become options', async () => {
    const { asked, simulate } = house()
    await simulate('forge', '--replay', '--fault', 'errors=0.1', '--seed', '7', '--no-model')
    await simulate('forge', '--record')
    expect(asked.map(([, options]) => options)).toEqual([
      { mode: 'replay', model: false, faults: 'errors=0.1', seed: 7 },
      { mode: 'record', model: true },
    ])
  })

  test.each([
    { why: 'both ways at once', argv: ['forge', '--replay', '--record'], says: /exclude each other/ },
    { why: 'no server', argv: [], says: /missing required argument 'server'/ },
  ])('$why is wrong usage', async ({ argv, says }) => {
    const { code, stderr } = await runCaptured(['simulate', ...argv], scriptedAudition({}))
    expect(code).toBe(2)
    expect(stderr).toMatch(says)
  })
})

test('audition serve --keep-calls goes with --call', async () => {
  const { code, stderr } = await runCaptured(['serve', '--keep-calls'], scriptedAudition({}))
  expect(code).toBe(2)
  expect(stderr).toContain('--keep-calls goes with --call')
})
