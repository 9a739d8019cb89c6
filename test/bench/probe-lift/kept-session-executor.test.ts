import { afterEach, describe, expect, test } from 'vitest'
import { keptSessionExecutor } from '../../../bench/probe-lift/kept-session-executor.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import { defaultLimits, type ExecutionLimits } from '../../../src/probing/ports.ts'
import { processesWith } from '../../adapters/command/agents.ts'
import { serverOf, task } from '../../adapters/mcp-client/tools.ts'

const open: ReturnType<typeof keptSessionExecutor>[] = []
afterEach(async () => {
  for (const kept of open.splice(0)) await kept.close()
})

/** An executor that is closed after the test. */
function kept() {
  const made = keptSessionExecutor({
    catalogFolder: '/opt/audition/catalog',
    environment: process.env,
    version: '0.0.0',
  })
  open.push(made)
  return made
}

const call = (
  { executor }: ReturnType<typeof keptSessionExecutor>,
  card: ToolCard,
  limits: Partial<ExecutionLimits> = {},
  signal = new AbortController().signal,
) => executor.execute(card, task, { limits: { ...defaultLimits, ...limits }, signal })

describe('an executor that keeps its sessions', () => {
  test('starts a server once for all calls, and ends it when it is closed', async () => {
    const { card, mark } = serverOf('echo')
    const executor = kept()
    const answers = await Promise.all([call(executor, card), call(executor, card)])
    const later = await call(executor, card)
    for (const execution of [...answers, later]) {
      expect(execution).toMatchObject({ ending: 'answered', answer: 'Worked on: hay', failure: null })
    }
    expect(processesWith(mark)).toHaveLength(1)
    await executor.close()
    expect(processesWith(mark)).toEqual([])
  })

  test('plans as the executor that keeps nothing', async () => {
    const { card } = serverOf('echo')
    const { executor } = kept()
    expect(executor.accepts(card)).toBe(true)
    const { config } = card.runtime as { config: string }
    expect(await executor.plan(card)).toMatchObject({ permit: `mcp:${config}#subject`, host: null })
  })

  test.each([
    { behaviour: 'error', says: /^I could not do it$/ },
    { behaviour: 'crash', says: /process exited with code 1/ },
    { behaviour: 'crash-at-start', says: /process exited with code 1/ },
  ])('tells what failed, $behaviour, and tries again at the next call', async ({ behaviour, says }) => {
    const { card, mark } = serverOf(behaviour)
    const executor = kept()
    for (const _ of [1, 2]) {
      const execution = await call(executor, card)
      expect(execution).toMatchObject({ ending: 'failed', failure: expect.stringMatching(says) })
    }
    await executor.close()
    expect(processesWith(mark)).toEqual([])
  })

  test.each(['never-answer', 'never-shake'])(
    'stops at its limit, and the server too: %s',
    async (behaviour) => {
      const { card, mark } = serverOf(behaviour)
      const execution = await call(kept(), card, { seconds: 1 })
      expect(execution).toMatchObject({ ending: 'limit', failure: 'it did not answer within 1 s' })
      expect(processesWith(mark)).toEqual([])
    },
  )

  test('a call that is cancelled is no fault of the server', async () => {
    const { card } = serverOf('never-answer')
    const stop = new AbortController()
    const running = call(kept(), card, {}, stop.signal)
    stop.abort(new Error('enough'))
    expect(await running).toMatchObject({ ending: 'cancelled' })
  })
})
