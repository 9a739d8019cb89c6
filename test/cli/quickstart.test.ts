import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../src/domain/environment.ts'
import type { IndexOptions, IndexReport } from '../../src/compose/app.ts'
import { bundledCatalog, demoCatalog } from '../../src/catalog/bundled-parts.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import { emptyReview } from '../../src/store/source-review.ts'
import type { ProbeCall } from '../../src/probing/run/probing.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import * as cards from '../fakes/fake-audition.ts'
import { agentCard, answerOf, scored, toolCard } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'

const [amber, cobalt] = ['measure-amber', 'measure-cobalt'].map((name) =>
  cards.agentCard(`demo-profiles/${name}`),
)

const source = (parts: Partial<SourceState>): SourceState => ({
  id: 'agents',
  location: '/',
  reader: 'claude-subagent',
  indexedAt: null,
  tools: 0,
  agents: 2,
  problems: [],
  ...parts,
})

/** An Audition over a small catalog, and what it was asked to index, to find and to run. */
function touring(report: Partial<IndexReport> = {}, allow: readonly string[] = ['command:*']) {
  const indexed: IndexOptions[] = []
  const tasks: string[] = []
  const probes: ProbeCall[] = []
  const executor = scriptedExecutor({
    [amber!.id]: () => ({ answer: 'It is 42.' }),
    [cobalt!.id]: () => ({ answer: 'It is 41.' }),
  })
  const probing = scriptedProbing(mkdtempSync(join(tmpdir(), 'audition-tour-')), executor, {
    ownTasks: ['one', 'two', 'three'].map((text) => ({ text, reference: { kind: 'states', text: '42' } })),
  })
  const allowed = probing.changeAllow({ add: allow, remove: ['bundled'] })
  const audition = scriptedAudition({
    sources: async () => [],
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
    cards: async (ids) => [amber!, cobalt!].filter(({ id }) => ids.includes(id)),
    probing: async () => {
      await allowed
      return {
        ...probing,
        probe: (call) => {
          probes.push(call)
          return probing.probe(call)
        },
      }
    },
    search: async ({ kind, query, k = 5, pack }) => {
      if (pack === 'ranking') {
        const pair = probing.record.added.length === 0 ? [cobalt!, amber!] : [amber!, cobalt!]
        const ranked = [pair[0]!, cards.agentCard('demo-profiles/deadline-birch'), pair[1]!]
        return answerOf(
          'agent',
          ranked.slice(0, k).map((card) => scored(card, 0.5)),
        )
      }
      tasks.push(query)
      const card = kind === 'tool' ? toolCard() : agentCard()
      return answerOf(
        kind,
        Array.from({ length: k }, (_, index) => scored(card, 1 - index / 10)),
      )
    },
  })
  return { audition, indexed, tasks, probes, probing }
}

describe('audition quickstart', () => {
  test('indexes the bundled catalog, answers a task, and shows the block and what comes next', async () => {
    const { audition, indexed, tasks } = touring()
    const cwd = mkdtempSync(join(tmpdir(), 'audition-tour-'))
    const { code, stdout } = await runCaptured(['quickstart'], audition, { cwd, env: { COLUMNS: '80' } })
    expect(code).toBe(0)
    const tour = [...bundledCatalog, ...demoCatalog]
    expect(indexed[0]).toMatchObject({ locations: tour, found: tour })
    expect(tasks).toHaveLength(2)
    expect(stdout).toContain('40 tools and 25 agents')
    expect(stdout).toContain('"mcpServers"')
    expect(stdout).toContain('audition sources remove demo-profiles')
    expect(stdout.split('\n').length).toBeLessThan(60)
  })

  test.each([
    { why: 'sources of their own', sources: [source({ location: '/home/ann/agents' })], reviews: [] },
    {
      why: 'removed the catalog',
      sources: [],
      reviews: [{ ...emptyReview('bundled:profiles'), bundled: 'removed' as const }],
    },
  ])('beside a user who has $why, it is held in a store of its own', async ({ sources, reviews }) => {
    const { audition, indexed } = touring()
    const closed: string[] = []
    const users = scriptedAudition({ sources: async () => sources, reviews: async () => reviews })
    const homes: (string | undefined)[] = []
    const open = async ({ AUDITION_HOME: home }: Environment) => {
      homes.push(home)
      return home === '/home/ann/store' ? users : { ...audition, close: async () => void closed.push('tour') }
    }
    const { code, stdout } = await runCaptured(['quickstart'], open, {
      env: { AUDITION_HOME: '/home/ann/store' },
    })
    expect({ code, closed, runs: indexed.length }).toEqual({ code: 0, closed: ['tour'], runs: 1 })
    expect(stdout).toContain('yours stays as it is')
    expect(stdout).not.toContain('sources remove demo-profiles')
    expect(homes).toHaveLength(2)
    expect(existsSync(homes[1] ?? '')).toBe(false)
  })

  test('runs two agents that say the same, and ranks them before and after', async () => {
    const { audition, probes, probing } = touring()
    const { code, stdout } = await runCaptured(['quickstart'], audition)
    expect(code).toBe(0)
    expect(probes).toMatchObject([{ cards: [amber, cobalt], tasks: { kind: 'own', count: 3 } }])
    expect(probes[0]).not.toHaveProperty('allow')
    expect(stdout).toMatch(
      /Ranked by what is known so far: +1\. demo-profiles\/measure-cobalt {2}2\. demo-profiles\/measure-amber\n/,
    )
    expect(stdout).toMatch(/demo-profiles\/measure-amber +3 of 3 +5 5 5/)
    expect(stdout).toMatch(/demo-profiles\/measure-cobalt +0 of 3 +1 1 1/)
    expect(stdout).toMatch(/Ranked by what happened: +1\. demo-profiles\/measure-amber/)
    expect(probing.record.added).toHaveLength(6)
  })

  test('what the user took off the list is not run, and the tour goes on', async () => {
    const { audition, probing } = touring({}, [])
    const { code, stdout } = await runCaptured(['quickstart'], audition)
    expect(code).toBe(0)
    expect(stdout).toContain('They were not run:')
    expect(stdout).toContain('audition allow demo-profiles/measure-amber')
    expect(stdout).toContain('4. Let your AI host search by itself')
    expect(probing.record.added).toEqual([])
  })

  test('--json gives what each step gave, and nothing else on standard output', async () => {
    const { audition } = touring()
    const cwd = mkdtempSync(join(tmpdir(), 'audition-tour-'))
    const { code, stdout } = await runCaptured(['quickstart', '--json', 'weigh', 'it'], audition, { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      index: { tools: 40, agents: 25, sources: [{ source: 'demo-profiles' }] },
      search: { query: 'weigh it', answers: [{ kind: 'tool' }, { kind: 'agent' }] },
      probe: {
        before: [cobalt!.id, amber!.id],
        candidates: [{ card: amber!.id }, { card: cobalt!.id }],
        refused: [],
        after: [amber!.id, cobalt!.id],
      },
      host: { host: 'claude-code', path: join(cwd, '.mcp.json'), block: { mcpServers: { audition: {} } } },
      next: expect.arrayContaining([{ command: 'audition doctor', does: expect.any(String) }]),
    })
  })

  test('--json says why the pair was not run', async () => {
    const { stdout } = await runCaptured(['quickstart', '--json'], touring({}, []).audition)
    expect(JSON.parse(stdout).probe).toMatchObject({
      refused: [{ kind: 'permission', missing: ['command:/bin/measure-amber'] }, {}],
    })
  })

  test('--json tells an index run that gave nothing, and ends with 1', async () => {
    const { audition } = touring({ tools: 0, agents: 0, sources: [] })
    const { code, stdout } = await runCaptured(['quickstart', '--json'], audition)
    expect({ code, shown: Object.keys(JSON.parse(stdout)) }).toEqual({ code: 1, shown: ['index'] })
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

  test('stands in the overview, since errors send people to it', async () => {
    const { stdout } = await runCaptured(['--help'], scriptedAudition({}))
    expect(stdout).toContain('quickstart')
  })
})
