import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { IndexOptions, IndexReport } from '../../src/app.ts'
import { bundledCatalog, demoCatalog } from '../../src/cli/bundled-catalog.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { agentCard, answerOf, scored, toolCard } from '../fakes/sample-cards.ts'

/** An Audition over a small catalog, and what it was asked to index and to find. */
function touring(report: Partial<IndexReport> = {}) {
  const indexed: IndexOptions[] = []
  const tasks: string[] = []
  const audition = scriptedAudition({
    index: async (options) => {
      indexed.push(options)
      const demo = {
        source: 'demo-profiles',
        location: demoCatalog[0] ?? '',
        reader: 'profile-yaml',
        added: 4,
        changed: 0,
        unchanged: 0,
        removed: 0,
        problems: [],
      }
      return { sources: [demo], problems: [], tools: 40, agents: 25, seconds: 1.2, ...report }
    },
    search: async ({ kind, query, k = 5 }) => {
      tasks.push(query)
      const card = kind === 'tool' ? toolCard() : agentCard()
      return answerOf(
        kind,
        Array.from({ length: k }, (_, index) => scored(card, 1 - index / 10)),
      )
    },
  })
  return { audition, indexed, tasks }
}

describe('audition quickstart', () => {
  test('indexes the bundled catalog, answers a task, and shows the block and what comes next', async () => {
    const { audition, indexed, tasks } = touring()
    const cwd = mkdtempSync(join(tmpdir(), 'audition-tour-'))
    const { code, stdout } = await runCaptured(['quickstart'], audition, { cwd, env: { COLUMNS: '80' } })
    expect(code).toBe(0)
    expect(indexed[0]?.locations).toEqual([...bundledCatalog, ...demoCatalog])
    expect(tasks).toHaveLength(2)
    expect(stdout).toContain('40 tools and 25 agents')
    expect(stdout).toContain('"mcpServers"')
    expect(stdout).toContain('audition sources remove demo-profiles')
    expect(stdout.split('\n').length).toBeLessThan(60)
  })

  test('searches for a task of your own', async () => {
    const { audition, tasks } = touring()
    await runCaptured(['quickstart', 'turn', 'csv', 'into', 'json'], audition)
    expect(tasks).toEqual(['turn csv into json', 'turn csv into json'])
  })

  test('an index run that gave nothing is reported, not searched', async () => {
    const problem = {
      severity: 'error',
      file: 'catalog',
      message: 'is missing',
      remedy: 'Install again.',
    } as const
    const { audition, tasks } = touring({ tools: 0, agents: 0, sources: [], problems: [problem] })
    const { code, stdout } = await runCaptured(['quickstart'], audition)
    expect({ code, tasks }).toEqual({ code: 1, tasks: [] })
    expect(stdout).toContain('Install again.')
  })

  test('does not stand in the overview', async () => {
    const { stdout } = await runCaptured(['--help'], scriptedAudition({}))
    expect(stdout).not.toContain('quickstart')
  })
})
