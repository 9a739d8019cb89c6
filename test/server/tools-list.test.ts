import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jsonBytes, tokensOf } from '../../src/server/token-estimate.ts'
import { tools } from '../../src/server/tools.ts'
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

test('tools/list, instructions and templates open nothing', async () => {
  const app = fakeAudition([], { empty: true })
  const client = await connectInMemory(app)
  await client.listTools()
  await client.listResources()
  await client.listResourceTemplates()
  expect(client.getInstructions()).toMatch(/search_tools/)
  expect(app.calls.count).toBe(0)
  await client.close()
})

test('schemas of tools are of 2020-12, closed, and describe every argument', async () => {
  for (const tool of tools) {
    for (const schema of [tool.inputSchema(), tool.outputSchema()]) {
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        additionalProperties: false,
      })
    }
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
  const reading = ['readOnlyHint', 'idempotentHint']
  expect(claims).toEqual({
    search_agents: reading,
    search_tools: reading,
    describe: reading,
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

test.each([
  {
    what: 'names, descriptions and input schemas, which every host shows its model',
    most: 2_850,
    output: false,
  },
  { what: 'output schemas too', most: 8_000, output: true },
])('the list costs at most $most tokens with $what', ({ most, output }) => {
  const listed = tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
    ...{ name, title, description, annotations, inputSchema: inputSchema() },
    ...(output ? { outputSchema: outputSchema() } : {}),
  }))
  expect(tokensOf(jsonBytes(listed))).toBeLessThanOrEqual(most)
})
