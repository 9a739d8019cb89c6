import type { Client } from '@modelcontextprotocol/client'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardUri } from '../../src/server/answers/uris.ts'
import { fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { connectInMemory } from './connect.ts'

let client: Client
beforeAll(async () => {
  client = await connectInMemory(fakeAudition(someCards))
})
afterAll(() => client.close())

test('templates lead to agents, tools and sources', async () => {
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType])).toEqual([
    ['audition://agents/{source}/{key}', 'application/yaml'],
    ['audition://tools/{source}/{key}', 'application/json'],
    ['audition://evaluations/{dataset}/{run}', 'text/html'],
    ['audition://transcripts/{outcome}', 'application/json'],
    ['audition://sources/{source}', 'text/markdown'],
  ])
})

test('an agent is runnable YAML', async () => {
  const { contents } = await client.readResource({ uri: 'audition://agents/team/lease-reviewer' })
  expect(contents).toMatchObject([
    { uri: 'audition://agents/team/lease-reviewer', mimeType: 'application/yaml' },
  ])
  const text = String((contents[0] as { text?: string }).text)
  expect(load(text)).toMatchObject({
    profile: 'audition/v1',
    name: 'lease-reviewer',
    backbone: { name: 'Claude Sonnet 4.5' },
    tools: [{ name: 'read_text' }, { name: 'word_count' }],
    instructions: 'You review leases.',
  })
  expect(text).not.toContain('/home/someone')
})

test('a tool is its whole card as JSON, without the paths of this machine', async () => {
  const { contents } = await client.readResource({ uri: 'audition://tools/forge/list_issues' })
  const text = String((contents[0] as { text?: string }).text)
  expect(JSON.parse(text)).toMatchObject({
    id: 'forge/list_issues',
    inputSchema: { required: ['owner', 'repo'] },
    provenance: { location: 'cards.json' },
    runtime: { config: '.mcp.json', display: 'node …/forge.js --token=***' },
  })
  expect(text).not.toContain('/home/someone')
})

test('a key with slashes and commas is read by its address', async () => {
  const uri = cardUri('tool', 'registry/io.example/convert,pdf')
  expect(uri).toBe('audition://tools/registry/io.example%2Fconvert%2Cpdf')
  const { contents } = await client.readResource({ uri })
  expect(JSON.parse(String((contents[0] as { text?: string }).text))).toMatchObject({
    id: 'registry/io.example/convert,pdf',
  })
})

test.each([
  { uri: 'audition://tools/forge/list_isues', says: 'Closest: "forge/list_issues"' },
  { uri: 'audition://tools/team/lease-reviewer', says: 'No tool has the id "team/lease-reviewer".' },
  { uri: 'audition://agents/zzz/zzz', says: 'Call search_agents to find ids.' },
  { uri: 'audition://agents/zz%/zz', says: 'No agent has the id "zz%/zz".' },
  { uri: 'file:///etc/passwd', says: 'file:///etc/passwd' },
])('$uri is not found', async ({ uri, says }) => {
  await expect(client.readResource({ uri })).rejects.toThrow(says)
})

test('sources are completed by what they hold, keys within their source', async () => {
  const completed = async (uri: string, name: string, value: string, source?: string) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri },
      argument: { name, value },
      ...(source === undefined ? {} : { context: { arguments: { source } } }),
    })
    return completion.values
  }
  const toolUri = 'audition://tools/{source}/{key}'
  const agentUri = 'audition://agents/{source}/{key}'
  expect(await completed(toolUri, 'source', '')).toEqual(['forge', 'weather', 'registry'])
  expect(await completed(agentUri, 'source', 'T')).toEqual(['team'])
  expect(await completed(toolUri, 'key', 'Get', 'forge')).toEqual(['get_issue'])
  expect(await completed(agentUri, 'key', '', 'team')).toEqual(['lease-reviewer', 'bug-hunter'])
  expect(await completed(toolUri, 'key', 'get')).toEqual([])
  expect(await completed(agentUri, 'key', '', 'eam'), 'no source is called so').toEqual([])
})

test('of many completions the first hundred are sent, and how many there are', async () => {
  const many = Array.from({ length: 120 }, (_, at) => toolCard(`bulk/tool_${at}`))
  const own = await connectInMemory(fakeAudition(many))
  const { completion } = await own.complete({
    ref: { type: 'ref/resource', uri: 'audition://tools/{source}/{key}' },
    argument: { name: 'key', value: 'tool' },
    context: { arguments: { source: 'bulk' } },
  })
  expect(completion).toMatchObject({ total: 120, hasMore: true })
  expect(completion.values).toHaveLength(100)
  await own.close()
})

test('an empty store completes nothing and says how to fill it when read', async () => {
  const own = await connectInMemory(fakeAudition([], { empty: true }))
  const { completion } = await own.complete({
    ref: { type: 'ref/resource', uri: 'audition://tools/{source}/{key}' },
    argument: { name: 'source', value: '' },
  })
  expect(completion.values).toEqual([])
  await expect(own.readResource({ uri: 'audition://tools/a/b' })).rejects.toThrow('Run: audition index')
  await own.close()
})
