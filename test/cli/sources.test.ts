import { describe, expect, test } from 'vitest'
import type { SourceState } from '../../src/catalog/ports.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const source = (parts: Partial<SourceState> = {}): SourceState => ({
  id: 'agents',
  location: '/home/ann/agents',
  reader: 'claude-subagent',
  indexedAt: '2026-11-20T10:30:12.000Z',
  tools: 0,
  agents: 24,
  problems: [],
  ...parts,
})

const problems = [
  {
    severity: 'error',
    file: 'agents/a.md',
    field: 'name',
    message: 'is missing',
    remedy: 'Add a name.',
  },
] as const

const three = [
  source(),
  source({ id: 'half', problems }),
  source({ id: 'tracker', indexedAt: null, failure: 'did not answer within 30 s', tools: 7, agents: 1 }),
]

/** An Audition with these sources, and the ids it was told to forget. */
function having(sources: readonly SourceState[]) {
  const forgotten: string[] = []
  const audition = scriptedAudition({
    sources: async () => sources,
    removeSources: async (ids) => void forgotten.push(...ids),
  })
  return { audition, forgotten }
}

describe('audition sources', () => {
  test('lists them with counts, time and state', async () => {
    const { code, stdout } = await runCaptured(['sources'], having(three).audition)
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "source   tools  agents  indexed           state                               location
      agents       0      24  2026-11-20 10:30  ok                                  /home/ann/agents
      half         0      24  2026-11-20 10:30  1 problem                           /home/ann/agents
      tracker      7       1  never             failed: did not answer within 30 s  /home/ann/agents
      "
    `)
  })

  test('--json prints them as they are', async () => {
    const { stdout } = await runCaptured(['sources', '--json'], having(three).audition)
    expect(JSON.parse(stdout)).toEqual(three)
  })

  test('says what to do when there are none', async () => {
    const { code, stdout } = await runCaptured(['sources'], having([]).audition)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing is indexed yet. Run `audition index`.\n' })
  })

  test('show lists the problems of one', async () => {
    const { stdout } = await runCaptured(['sources', 'show', 'half'], having(three).audition)
    expect(stdout).toContain('left out  agents/a.md name: is missing')
    expect(stdout).toContain('Add a name.')
  })

  test('show says why the last run failed, and that the old cards stay', async () => {
    const { stdout } = await runCaptured(['sources', 'show', 'tracker'], having(three).audition)
    expect(stdout).toContain('The last run failed: did not answer within 30 s')
    expect(stdout).toContain('Its old cards stay.')
  })

  test.each([
    { id: 'traker', says: 'no source "traker". Closest ids: tracker.' },
    { id: 'qqqq', says: 'no source "qqqq". Run `audition sources` for their ids.' },
  ])('show of "$id" offers ids like it, where there are any', async ({ id, says }) => {
    const { code, stderr } = await runCaptured(['sources', 'show', id], having(three).audition)
    expect(code).toBe(1)
    expect(stderr).toContain(says)
  })

  test('show --json prints one', async () => {
    const { stdout } = await runCaptured(['sources', 'show', 'half', '--json'], having(three).audition)
    expect(JSON.parse(stdout)).toEqual(three[1])
  })

  test('remove forgets each once', async () => {
    const { audition, forgotten } = having(three)
    const { code, stdout } = await runCaptured(['sources', 'remove', 'half', 'agents', 'half'], audition)
    expect({ code, forgotten }).toEqual({ code: 0, forgotten: ['half', 'agents'] })
    expect(stdout).toContain('Forgot half, agents.')
  })

  test('remove forgets nothing when one id is unknown', async () => {
    const { audition, forgotten } = having(three)
    const { code, stderr } = await runCaptured(['sources', 'remove', 'agents', 'nobody'], audition)
    expect({ code, forgotten }).toEqual({ code: 1, forgotten: [] })
    expect(stderr).toContain('no source "nobody"')
  })

  test('remove without an id ends with 2', async () => {
    const { code } = await runCaptured(['sources', 'remove'], having(three).audition)
    expect(code).toBe(2)
  })
})
