import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { connectInMemory, textOf } from './connect.ts'

let client: Client
beforeAll(async () => {
  client = await connectInMemory(fakeAudition(someCards))
})
afterAll(() => client.close())

test.each([
  {
    why: 'an empty query',
    name: 'search_tools',
    given: { query: '  ' },
    says: '"query" is "" but must be a text that is not empty. Example: search_tools {"query":',
  },
  {
    why: 'no query at all',
    name: 'search_tools',
    given: {},
    says: '"query" is missing: The need in plain words. Example: search_tools {',
  },
  {
    why: 'k out of range',
    name: 'search_agents',
    given: { task: 'x', k: 101 },
    says: '"k" is 101 but must be at most 100. Example: search_agents {"task":',
  },
  {
    why: 'k below its range',
    name: 'search_agents',
    given: { task: 'x', k: 0 },
    says: '"k" is 0 but must be at least 1.',
  },
  {
    why: 'k as a text',
    name: 'search_tools',
    given: { query: 'x', k: '5' },
    says: '"k" is "5" but must be a number.',
  },
  {
    why: 'half a candidate',
    name: 'search_tools',
    given: { query: 'x', k: 2.5 },
    says: '"k" is 2.5 but must be an integer.',
  },
  {
    why: 'arguments that do not exist, by the names that were given',
    name: 'search_agents',
    given: { task: 'x', limit: 3, 'top"k': 1 },
    says: 'search_agents has no argument "limit", "top\\"k". It takes task, instruction, context, k, sources,',
  },
  {
    why: 'an unknown kind',
    name: 'search_agents',
    given: { task: 'x', kinds: ['robot'] },
    says: '"kinds[0]" is "robot" but must be one of "profile", "subagent", "skill",',
  },
  {
    why: 'an unknown source, with those that there are',
    name: 'search_tools',
    given: { query: 'x', sources: ['forged'] },
    says: 'No source is called "forged". Sources: "forge", "weather"',
  },
  {
    why: 'an unknown id to exclude, with the one that is like it',
    name: 'search_tools',
    given: { query: 'x', exclude: ['forge/get_issue', 'get_issue'] },
    says: 'No agent or tool has the id "get_issue". Closest: "forge/get_issue". Call again with ids as a search gives them',
  },
  {
    why: 'an unknown id to exclude, like none',
    name: 'search_agents',
    given: { task: 'x', exclude: ['zzz'] },
    says: 'No agent or tool has the id "zzz". Call again with',
  },
  {
    why: 'an unknown server, beside one that there is, with those that there are',
    name: 'search_tools',
    given: { query: 'x', servers: ['forge', 'frge'] },
    says: 'No server is called "frge". Servers: "forge". Call again with one of these, or without "servers".',
  },
  {
    why: 'an unknown tag, with those that there are',
    name: 'search_tools',
    given: { query: 'x', tags: ['isues'] },
    says: 'No tag is called "isues". Tags: "issues"',
  },
  {
    why: 'an unknown tag of agents, with those that there are',
    name: 'search_agents',
    given: { task: 'x', tags: ['isues'] },
    says: 'No tag is called "isues". Tags: "issues"',
  },
  {
    why: 'filters that no tool passes together',
    name: 'search_tools',
    given: { query: 'x', servers: ['forge'], sources: ['weather'] },
    says: 'No indexed tools pass sources "weather" and servers "forge". Call again with fewer or other filters.',
  },
  {
    why: 'a budget too small to hold anything',
    name: 'describe',
    given: { ids: ['forge/get_issue'], max_tokens: 10 },
    says: '"max_tokens" is 10 but must be at least 200.',
  },
  {
    why: 'too many ids',
    name: 'describe',
    given: { ids: Array.from({ length: 11 }, (_, at) => `a/${at}`) },
    says: '"ids" is a list of 11 but must be a list of at most 10.',
  },
  {
    why: 'one id instead of a list',
    name: 'describe',
    given: { ids: 'forge/get_issue' },
    says: '"ids" is "forge/get_issue" but must be an array. Example: describe {"ids":["github/list_issues"]}',
  },
  {
    why: 'an unknown id, with the closest ones',
    name: 'describe',
    given: { ids: ['forge/list_isue'] },
    says: 'No card has the id "forge/list_isue". Closest: "forge/list_issues"',
  },
  {
    why: 'the id of a card that ships with Audition and is not in the store',
    name: 'describe',
    given: { ids: ['demo-profiles/tally-south'] },
    says: 'No card has the id "demo-profiles/tally-south". It ships with Audition and is not in the store: `audition index bundled:demo` brings it back.',
  },
  {
    why: 'an unknown id that is like nothing',
    name: 'describe',
    given: { ids: ['zzz'] },
    says: 'No card has the id "zzz". Call search_tools or search_agents to find ids.',
  },
])('$name answers $why with what to call instead', async ({ name, given, says }) => {
  const result = await client.callTool({ name, arguments: given })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(says)
})

test.each(['constructor', '__proto__', 'train_agent', ''])(
  'a tool called %j is a protocol error',
  async (name) => {
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32_602 })
  },
)

test('empty lists are no filter', async () => {
  const app = fakeAudition(someCards)
  const own = await connectInMemory(app)
  const lists = { sources: [], tags: [], servers: [], exclude: [], runnable: false, read_only: false }
  const result = await own.callTool({ name: 'search_tools', arguments: { query: 'issues', ...lists } })
  expect(result.isError).toBeUndefined()
  expect(app.searches).toEqual([{ kind: 'tool', query: 'issues', enough: true, filter: {} }])
  await own.close()
})

test('null is an argument left out', async () => {
  const app = fakeAudition(someCards)
  const own = await connectInMemory(app)
  const nulls = { instruction: null, k: null, sources: null, tags: null, runnable: null, max_tokens: null }
  const result = await own.callTool({ name: 'search_tools', arguments: { query: 'issues', ...nulls } })
  expect(result.isError).toBeUndefined()
  expect(app.searches).toEqual([{ kind: 'tool', query: 'issues', enough: true, filter: {} }])
  const without = await own.callTool({ name: 'search_tools', arguments: { query: null } })
  expect(textOf(without)).toContain('"query" is missing')
  await own.close()
})

test('every argument of a search reaches retrieval', async () => {
  const app = fakeAudition(someCards)
  const own = await connectInMemory(app)
  await own.callTool({
    name: 'search_tools',
    arguments: {
      query: ' issues ',
      instruction: 'for a report',
      context: 'by Friday',
      k: 2,
      sources: ['forge'],
      tags: ['issues'],
      runnable: true,
      exclude: ['forge/get_issue'],
      servers: ['forge'],
      read_only: true,
    },
  })
  await own.callTool({ name: 'search_agents', arguments: { task: 'review', kinds: ['profile', 'a2a'] } })
  expect(app.searches).toEqual([
    {
      kind: 'tool',
      query: 'issues',
      instruction: 'for a report',
      context: 'by Friday',
      k: 2,
      filter: {
        sources: ['forge'],
        tags: ['issues'],
        hasRuntime: true,
        exclude: ['forge/get_issue'],
        servers: ['forge'],
        readOnly: true,
      },
    },
    { kind: 'agent', query: 'review', enough: true, filter: { agentKinds: ['profile', 'a2a'] } },
  ])
  await own.close()
})

test('an empty store is told as an error of the tool, with the command that fills it', async () => {
  const own = await connectInMemory(fakeAudition([], { empty: true }))
  for (const [name, given] of [
    ['search_tools', { query: 'x' }],
    ['search_agents', { task: 'x', sources: ['forge'] }],
    ['describe', { ids: ['a/b'] }],
  ] as const) {
    const result = await own.callTool({ name, arguments: given })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Nothing is indexed yet. Run: audition index' }],
    })
  }
  await own.close()
})

test('a failure inside is told without stack and without paths of the machine', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const failure = new Error(
    'cannot open "/home/someone/.local/share/audition/tools.lance": denied\n    at x (y.js:1)',
  )
  const own = await connectInMemory(fakeAudition(someCards, { failure }))
  const result = await own.callTool({ name: 'search_tools', arguments: { query: 'x' } })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toBe('search_tools failed: cannot open "…/tools.lance": denied')
  expect(log).toHaveBeenCalledWith('audition: search_tools failed:', failure)
  log.mockRestore()
  await own.close()
})

test('when probably nothing fits, the answer says so and what to try, and keeps what a call needs', async () => {
  const result = await client.callTool({ name: 'search_tools', arguments: { query: 'xylophone' } })
  expect(result.isError).toBeUndefined()
  expect(result.structuredContent).toMatchObject({
    match: 'none',
    note: 'No tool shares enough words with the query.',
    next: expect.stringContaining('Say it in other words'),
  })
  expect(textOf(result)).toMatch(
    /^Probably nothing fits: the nearest 5 of 7 tools, best first\. No tool shares/,
  )
  const { candidates } = result.structuredContent as { candidates: object[] }
  // The verdict may be wrong: a candidate stays one that can be called.
  expect(candidates.every((candidate) => 'inputs' in candidate)).toBe(true)
})

test('describe answers known ids and names unknown ones', async () => {
  const ids = ['weather/forecast', 'forge/get_isue', 'team/lease-reviewer', 'weather/forecast']
  const result = await client.callTool({ name: 'describe', arguments: { ids } })
  expect(result.isError).toBeUndefined()
  expect(result.structuredContent).toMatchObject({
    cards: [
      { kind: 'tool', id: 'weather/forecast', inputSchema: { properties: { city: { type: 'string' } } } },
      { kind: 'agent', id: 'team/lease-reviewer', yaml: expect.stringContaining('profile: audition/v1') },
    ],
    unknown: [{ id: 'forge/get_isue', closest: expect.arrayContaining(['forge/get_issue']) }],
  })
})
