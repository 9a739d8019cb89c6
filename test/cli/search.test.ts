import { describe, expect, test } from 'vitest'
import type { SourceState } from '../../src/store/source-state.ts'
import type { SearchAnswer, SearchRequest } from '../../src/retrieval/answer.ts'
import { NoIndexError } from '../../src/retrieval/ports.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { agentCard, answerOf, scored, toolCard } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const tools = answerOf('tool', [
  scored(toolCard(), 0.91),
  scored(
    toolCard({
      id: 'tracker/list_issues',
      name: 'list_issues',
      description: 'Lists the open issues of a project, newest first, fifty to a page.',
    }),
    0.4,
  ),
])
const agents = answerOf('agent', [scored(agentCard(), 0.3)], {
  match: 'weak',
  note: 'Nothing here speaks of issues.',
})

const sourceOf = (id: string): SourceState => ({
  id,
  location: `/home/ann/${id}`,
  reader: 'profile',
  indexedAt: null,
  tools: 1,
  agents: 1,
  problems: [],
})

const knownValues = {
  servers: ['Kalender für alle', 'tracker', 'x', ...Array.from({ length: 7 }, (_, at) => `z${at}`)],
  tags: ['legal', 'x'],
}

/** An Audition that gives these answers and keeps what it was asked. */
function answering(...answers: readonly SearchAnswer[]) {
  const requests: SearchRequest[] = []
  const audition = scriptedAudition({
    sources: async () => ['a', 'b', 'tracker'].map(sourceOf),
    cards: async (ids) => ids.filter((id) => id === 'a/x').map((id) => toolCard({ id })),
    reviews: async () => [],
    closestIds: async () => ['a/x'],
    unknownValues: async ({ servers = [], tags = [] }) =>
      Object.entries({ servers, tags }).flatMap(([filter, wanted]) => {
        const known = knownValues[filter as keyof typeof knownValues]
        const unknown = wanted.filter((value) => !known.includes(value))
        return unknown.length === 0 ? [] : [{ filter: filter as keyof typeof knownValues, unknown, known }]
      }),
    search: async (request) => {
      requests.push(request)
      const answer = answers.find(({ kind }) => kind === request.kind)
      if (answer === undefined) throw new Error(`the test has no answer about ${request.kind}s`)
      return answer
    },
  })
  return { audition, requests }
}

describe('audition search', () => {
  test('an answer that was asked for running says what cannot run here, and what to do', async () => {
    const hindered = answerOf('agent', [
      scored(agentCard({ id: 'team/ready' }), 0.5),
      scored(agentCard({ id: 'team/remote' }), 0.9, {
        obstacle: { kind: 'permission', missing: ['command:/bin/remote'], display: '/bin/remote' },
      }),
      scored(agentCard({ id: 'team/modelless' }), 0.8, {
        obstacle: { kind: 'runtime', message: 'No model is configured', remedy: 'Set AUDITION_LLM.' },
      }),
    ])
    for (const detail of [[], ['--why']]) {
      const { audition } = answering(hindered)
      const { stdout } = await runCaptured(['search', '--agents', '--runnable', ...detail, 'x'], audition)
      expect(stdout).toContain('Cannot run here as things stand:')
      expect(stdout).toContain('  #2 team/remote: not allowed yet; `audition allow team/remote` shows')
      expect(stdout).toContain('  #3 team/modelless: No model is configured. Set AUDITION_LLM.')
      expect(stdout).not.toContain('#1 team/ready')
    }
  })

  test('prints a short table of tools and one of agents', async () => {
    const { audition } = answering(tools, agents)
    const { code, stdout, stderr } = await runCaptured(['search', 'open', 'an', 'issue'], audition, {
      env: { COLUMNS: '80' },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "Tools (good match, 120 searched)
      #  id                    score  description
      1  tracker/create_issue  0.910  Creates an issue in a project and returns its n…
      2  tracker/list_issues   0.400  Lists the open issues of a project, newest firs…

      Agents (120 searched)
      Weak match. Nothing here speaks of issues.
      #  id                     score  description
      1  agents/lease-reviewer  0.300  Reviews leases and lists the risky clauses.
      "
    `)
  })

  test.each([
    { why: 'both kinds without a flag', argv: [], kinds: ['tool', 'agent'] },
    { why: 'tools when asked for', argv: ['--tools'], kinds: ['tool'] },
    { why: 'agents when asked for', argv: ['--agents'], kinds: ['agent'] },
    { why: 'both when both are asked for', argv: ['--agents', '--tools'], kinds: ['tool', 'agent'] },
    { why: 'agents when a filter is about agents', argv: ['--kind', 'skill'], kinds: ['agent'] },
    { why: 'tools when a filter is about tools', argv: ['--read-only'], kinds: ['tool'] },
    {
      why: 'both when filters are about both',
      argv: ['--server', 'x', '--kind', 'a2a'],
      kinds: ['tool', 'agent'],
    },
  ])('searches $why', async ({ argv, kinds }) => {
    const { audition, requests } = answering(tools, agents)
    await runCaptured(['search', 'x', ...argv], audition)
    expect(requests.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('passes every filter on', async () => {
    const { audition, requests } = answering(tools, agents)
    const argv = ['search', '-k', '12', '--source', 'a', '--source', 'b', '--tag', 'legal']
    argv.push('--kind', 'skill', '--kind', 'a2a', '--server', 'tracker', '--runnable', '--read-only')
    argv.push('--exclude', 'a/x', '--ranker', 'lexical', '--instruction', 'finds risky clauses')
    argv.push('--context', 'I am a lawyer', 'review a lease')
    await runCaptured(argv, audition)
    expect(requests).toEqual(
      (['tool', 'agent'] as const).map((kind) => ({
        kind,
        query: 'review a lease',
        k: 12,
        instruction: 'finds risky clauses',
        context: 'I am a lawyer',
        ranker: 'lexical',
        filter: {
          sources: ['a', 'b'],
          tags: ['legal'],
          agentKinds: ['skill', 'a2a'],
          servers: ['tracker'],
          hasRuntime: true,
          readOnly: true,
          exclude: ['a/x'],
        },
      })),
    )
  })

  test.each([
    { id: 'traker', says: 'error: no source "traker".\n  Closest ids: tracker.\n' },
    { id: 'nope', says: 'error: no source "nope".\n  Run `audition sources` for their ids.\n' },
  ])(
    'an unknown source, $id, is named, with those like it, and nothing is searched',
    async ({ id, says }) => {
      const { audition, requests } = answering(tools, agents)
      const argv = ['search', '--json', '--source', 'a', '--source', id, 'x']
      expect(await runCaptured(argv, audition)).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^\{\n {2}"error": /u),
        stderr: says,
      })
      expect(requests).toEqual([])
    },
  )

  test.each([
    {
      argv: ['--server', 'x', '--server', 'Kalendar'],
      says: 'error: no server "Kalendar". Closest: Kalender für alle.\n',
    },
    {
      argv: ['--server', 'nope'],
      says: 'error: no server "nope". There are: Kalender für alle, tracker, x, z0, z1, z2, z3, z4 and 2 more.\n',
    },
    { argv: ['--tag', 'lgal'], says: 'error: no tag "lgal". Closest: legal.\n' },
    { argv: ['--tag', 'nope'], says: 'error: no tag "nope". There are: legal, x.\n' },
  ])('a value that no card has, $argv, is named, and nothing is searched', async ({ argv, says }) => {
    const { audition, requests } = answering(tools, agents)
    expect(await runCaptured(['search', '--json', ...argv, 'y'], audition)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^\{\n {2}"error": /u),
      stderr: says,
    })
    expect(requests).toEqual([])
  })

  test('an unknown card to leave out is named, with those like it, and nothing is searched', async () => {
    const { audition, requests } = answering(tools, agents)
    expect(await runCaptured(['search', '--exclude', 'a/y', 'x'], audition)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: no tool or agent "a/y".\n  Closest ids: a/x.\n',
    })
    expect(requests).toEqual([])
  })

  test('a source of an empty store is left to the search, which says that nothing is indexed', async () => {
    const audition = scriptedAudition({
      sources: async () => [],
      search: async () => {
        throw new NoIndexError()
      },
    })
    const { code, stderr } = await runCaptured(['search', '--source', 'a', 'x'], audition)
    expect(code).toBe(1)
    expect(stderr).toContain('nothing is indexed yet')
  })

  test('asks for five and filters nothing by default', async () => {
    const { audition, requests } = answering(tools)
    await runCaptured(['search', '--tools', 'x'], audition)
    expect(requests).toEqual([{ kind: 'tool', query: 'x', k: 5 }])
  })

  test('reads the query from standard input', async () => {
    const { audition, requests } = answering(tools)
    await runCaptured(['search', '--tools', '-'], audition, { input: 'a long\nstory\n' })
    expect(requests[0]?.query).toBe('a long\nstory')
  })

  test('says honestly that nothing fits, and what to do', async () => {
    const none = answerOf('tool', [scored(toolCard(), 0.1)], {
      match: 'none',
      note: 'No card shares a telling word with the query.',
    })
    const { audition } = answering(none)
    const { code, stdout } = await runCaptured(['search', '--tools', 'x'], audition)
    expect(code).toBe(0)
    expect(stdout).toContain('No good match. No card shares a telling word with the query.')
    expect(stdout).toContain('Say it in other words')
  })

  test('says what to do when a filter lets nothing through, or nothing of the kind is there', async () => {
    const { audition } = answering(answerOf('tool', [], { match: 'none', searched: 0 }))
    const { stdout } = await runCaptured(['search', '--tools', '--tag', 'x', 'y'], audition)
    expect(stdout).toContain('Drop the filter if there is one, or index a source that has tools.')
  })

  test('--why tells the signals of each candidate', async () => {
    const why = answerOf(
      'tool',
      [
        scored(toolCard(), 0.91, {
          lexical: 12.345,
          dense: 0.61,
          coverage: 0.8,
          matched: ['issue', 'create'],
          lift: { from: 'agents/tracker', share: 0.12 },
          facets: [1],
          duplicates: ['mirror/create_issue'],
        }),
      ],
      { facets: ['find the bug', 'open an issue'] },
    )
    const { audition } = answering(why)
    const table = await runCaptured(['search', '--tools', 'x'], audition)
    expect(table.stdout).toMatch(/^ {2}#\d stands for near-copies: mirror\/create_issue$/m)
    const { stdout } = await runCaptured(['search', '--tools', '--why', 'x'], audition)
    expect(stdout).toMatchInlineSnapshot(`
      "Tools (good match, 120 searched)
        step 1: find the bug
        step 2: open an issue
      1. tracker/create_issue  0.910
         Creates an issue in a project and returns its number.
         matched: issue, create (80 % of the query's information)
         words (BM25) 12.35; meaning (cosine) 0.610; lifted by agents/tracker: 12 % of its score
         serves step 2
         stands for near-copies: mirror/create_issue
      "
    `)
  })

  test('a request of another language tells how it was read', async () => {
    const { audition } = answering({ ...tools, readAs: 'send invoice' })
    const { stdout } = await runCaptured(['search', '--tools', 'Rechnung schicken'], audition)
    expect(stdout).toContain('read as: send invoice')
  })

  test('a good match tells what keeps the search from its best', async () => {
    const { audition } = answering({ ...tools, match: 'good', note: 'Ranked by words alone.' })
    const { stdout } = await runCaptured(['search', '--tools', 'open an issue'], audition)
    expect(stdout).toContain('Ranked by words alone.\n')
  })

  test('--json prints the answers and nothing else, in one shape', async () => {
    const { audition } = answering(tools, agents)
    const both = await runCaptured(['search', '--json', 'open an issue'], audition)
    expect(JSON.parse(both.stdout)).toEqual({ query: 'open an issue', answers: [tools, agents] })
    expect(both.stderr).toBe('')
    const one = await runCaptured(['search', '--json', '--agents', 'open an issue'], audition)
    expect(JSON.parse(one.stdout)).toEqual({ query: 'open an issue', answers: [agents] })
  })

  test('a narrow terminal shows whole ids, and nothing wider than itself', async () => {
    const { audition } = answering(tools, agents)
    const { stdout } = await runCaptured(['search', 'open an issue'], audition, {
      columns: 32,
      env: { NO_COLOR: '1' },
    })
    expect(stdout).toContain('tracker/create_issue\n')
    const rows = stdout.split('\n').filter((line) => line.startsWith('  '))
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThanOrEqual(32)
  })

  test.each([
    { why: 'in a table', flags: [] },
    { why: 'with --why', flags: ['--why'] },
  ])('a name that would fill the terminal is cut $why, and its id is not', async ({ flags }) => {
    const name = 'Lease '.repeat(85).trim()
    const long = toolCard({ id: `agents/${'lease-'.repeat(33)}x`, name })
    const { audition } = answering(answerOf('tool', [scored(toolCard(), 1), scored(long, 1)]))
    const { stdout } = await runCaptured(['search', '--tools', ...flags, 'x'], audition, {
      env: { COLUMNS: '80' },
    })
    expect(stdout).toContain(long.id)
    expect(stdout.split('Lease').length - 1).toBeLessThanOrEqual(3 * 13)
    expect(stdout).toContain('…')
  })

  test('the text of a card cannot drive the terminal', async () => {
    const hostile = toolCard({
      id: 'evil/\u001b]0;owned\u0007tool',
      name: '\u001b[2Jname',
      description: 'safe\r\u001b[1A\u202Eevil\nsecond line\u0000',
    })
    const { audition } = answering(answerOf('tool', [scored(hostile, 1)], { note: '\u001b[31mred' }))
    for (const flag of ['--tools', '--why']) {
      const { stdout } = await runCaptured(['search', '--tools', flag, 'x'], audition)
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(stdout).toContain('safe evil second line')
    }
  })

  test.each([
    { why: 'no query', argv: ['search'], expected: /missing required argument/ },
    { why: 'an empty query', argv: ['search', ' '], expected: /query is empty/ },
    {
      why: 'too many candidates',
      argv: ['search', 'x', '-k', '101'],
      expected: /whole number from 1 to 100/,
    },
    { why: 'half a candidate', argv: ['search', 'x', '-k', '1.5'], expected: /whole number from 1 to 100/ },
    { why: 'an unknown ranker', argv: ['search', 'x', '--ranker', 'magic'], expected: /Allowed choices/ },
    {
      why: 'agents by a filter of tools',
      argv: ['search', 'x', '--agents', '--server', 'audition-text'],
      expected: /--server is about tools, and --agents leaves them out\. Drop one of the two/,
    },
    {
      why: 'agents that only read',
      argv: ['search', 'x', '--agents', '--read-only'],
      expected: /--read-only is about tools/,
    },
    {
      why: 'tools by a filter of agents',
      argv: ['search', 'x', '--tools', '--kind', 'profile'],
      expected: /--kind is about agents, and --tools leaves them out/,
    },
    { why: 'an unknown option', argv: ['search', 'x', '--sorce', 'a'], expected: /Did you mean --source/ },
  ])('ends with 2 on $why', async ({ argv, expected }) => {
    const { code, stdout, stderr } = await runCaptured(argv, scriptedAudition({}))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(expected)
  })

  test('of an agent without a backbone it says on which model to run it, and why', async () => {
    const free = agentCard({ backbone: null })
    const model = (id: string) => ({
      id,
      name: id,
      callable: true,
      estimate: 0.71,
      low: 0.6,
      high: 0.8,
      outcomes: 40,
      nearest: [],
      score: 0.7,
    })
    const models = [model('ollama/a'), model('ollama/b')]
    const { audition } = answering(answerOf('agent', [scored(free, 0.9)]))
    const asked = {
      ...audition,
      models: async () => ({ task: 'x', priceWeight: 1, models, known: 2, tasks: 40 }),
    }
    const { stdout } = await runCaptured(['search', '--agents', 'file a bug'], asked)
    expect(stdout).toContain('Without a backbone: run it on ollama/a (success 0.71, 40 tasks).')
  })
})
