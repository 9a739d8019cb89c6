import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jsonBytes, tokensOf } from '../../src/server/answers/fitted-answer.ts'
import { tools, toolsThatCall } from '../../src/server/server.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { fakeEvaluations } from '../fakes/fake-evaluations.ts'
import { connectInMemory } from './connect.ts'

test('tools/list is the golden one; after a meant change, write it anew with vitest -u', async () => {
  const client = await connectInMemory(fakeAudition([], { empty: true }))
  const listed = await client.listTools()
  await expect(`${JSON.stringify(listed.tools, null, 2)}\n`).toMatchFileSnapshot(
    'golden/tools-list.json.golden',
  )
  await client.close()
})

test('tools/list, instructions, templates and prompts open nothing', async () => {
  const app = fakeAudition([], { empty: true })
  const client = await connectInMemory(app)
  await client.listTools()
  await client.listResourceTemplates()
  await client.listPrompts()
  expect(client.getInstructions()).toMatch(/search_tools/)
  expect(app.calls.count).toBe(0)
  await client.close()
})

test('schemas of arguments are closed and describe every one; those of answers leave room for more fields', async () => {
  for (const tool of tools) {
    expect(tool.inputSchema()).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.outputSchema()).toMatchObject({ type: 'object', properties: {} })
    expect(JSON.stringify(tool.outputSchema())).not.toContain('additionalProperties')
    for (const argument of Object.values(tool.inputSchema().properties as object)) {
      expect(argument).toMatchObject({ description: expect.stringMatching(/\S/) })
    }
  }
})

test('tools claim no more than is true: searches only read, evaluate keeps records, a probe runs what others made', () => {
  const golden = JSON.parse(readFileSync(new URL('golden/tools-list.json.golden', import.meta.url), 'utf8'))
  const claims = Object.fromEntries(
    golden.map(({ name, annotations }: { name: string; annotations: Record<string, boolean> }) => [
      name,
      Object.entries(annotations).flatMap(([hint, isSo]) => (isSo ? [hint] : [])),
    ]),
  )
  const reading = ['readOnlyHint']
  expect(claims).toEqual({
    search_agents: reading,
    search_tools: reading,
    describe: reading,
    compose_agent: reading,
    probe_agent: ['destructiveHint', 'openWorldHint'],
    evaluate: ['idempotentHint'],
  })
})

test('the example of every tool is accepted by its own schema', async () => {
  const app = fakeAudition([], { evaluations: fakeEvaluations() })
  const { signal } = new AbortController()
  for (const tool of tools) {
    const mistake = await tool.call(app, { nonsense: 1 }, { signal })
    const example = /Example: \w+ (\{.*\})$/.exec(mistake.content[0]!.text)?.[1] ?? ''
    const right = await tool.call(app, JSON.parse(example), { signal })
    expect(right.content[0]!.text).not.toMatch(/Example: \w+ \{.*nonsense/)
    expect(right.content[0]!.text).not.toContain('has no argument')
  }
})

/** Of what a host reads from the list: 3.2 bytes a token, rather too many than too few. */
const tokensOfList = (listed: unknown): number => tokensOf(jsonBytes(listed))

test('the list costs at most 2,600 tokens, output schemas and all', async () => {
  const client = await connectInMemory(fakeAudition([], { empty: true }))
  const { tools: listed } = await client.listTools()
  await client.close()
  expect(tokensOfList(listed)).toBeLessThanOrEqual(2_600)
  const loaded = listed.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true)
  expect(tokensOfList(loaded.map(({ outputSchema: _, ...rest }) => rest))).toBeLessThanOrEqual(1_200)
})

test('a host that loads tools on demand has the searches at once, and finds the others by a hint', async () => {
  const client = await connectInMemory(fakeAudition([], { empty: true }))
  const { tools: listed } = await client.listTools()
  await client.close()
  expect(Object.fromEntries(listed.map(({ name, _meta }) => [name, _meta]))).toEqual({
    search_agents: { 'anthropic/alwaysLoad': true },
    search_tools: { 'anthropic/alwaysLoad': true },
    describe: { 'anthropic/searchHint': expect.stringMatching(/schema/) },
    compose_agent: { 'anthropic/searchHint': expect.stringMatching(/compose/) },
    probe_agent: { 'anthropic/searchHint': expect.stringMatching(/run/) },
    evaluate: { 'anthropic/searchHint': expect.stringMatching(/search/) },
  })
})

test('where calls are allowed the list has them, says what each may do, and costs no more than 2,600 tokens', async () => {
  const app = fakeAudition([], { empty: true })
  const user = { home: '/home/someone', platform: 'linux', env: {} } as const
  const client = await connectInMemory(app, { surrounded: { user, cwd: null, calls: true } })
  const { tools: listed } = await client.listTools()
  expect(client.getInstructions()).toContain('call_tool_that_changes')
  await client.close()
  expect(listed.map(({ name }) => name)).toEqual(toolsThatCall.map(({ name }) => name))
  expect(tokensOfList(listed)).toBeLessThanOrEqual(2_600)
  const claims = new Map(listed.map(({ name, annotations }) => [name, annotations]))
  expect(claims.get('call_tool')).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: true })
  for (const name of ['call_tool_that_changes', 'run_agent'])
    expect(claims.get(name)).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: true })
  expect(app.calls.count).toBe(0)
})
