import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import {
  adkSkillRegistry,
  aiSdkSearch,
  aiSdkSteps,
  claudeAgentTools,
  claudeToolSearch,
  copilotToolSearch,
  langchainToolSearch,
  mastraToolSearch,
  openAIAgentsToolSearch,
  openAIToolSearch,
  toAgentDefinition,
  toClaudeTool,
  toOpenAITool,
} from '../../../src/host-search.ts'
import { type AuditionLibrary, openAudition, RemedyError } from '../../../src/index.ts'
import { schemaOf } from '../../../src/library/hosts/schema-of.ts'
import { storeFolder } from '../../adapters/lancedb/stores.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { agentCard } from '../../fakes/fake-audition.ts'

const calendar = { name: 'create_event', description: 'Put an appointment into the calendar' }
const mail = { name: 'send_email', description: 'Send an email to somebody' }
const disk = { name: 'delete_file', description: 'Delete a file from the disk' }
const all = [disk, mail, calendar]
const query = 'put lunch with Ada into my calendar'

test('a search that gives nothing says so to the model, and refers to nothing', async () => {
  const empty = await claudeToolSearch([]).answer({ id: 'toolu_1', input: { query } })
  expect(empty.content).toEqual([{ type: 'text', text: 'There are no tools to find.' }])
  const unasked = await claudeToolSearch(all.map(toClaudeTool)).answer({ id: 'toolu_1', input: { words: 1 } })
  expect(unasked.content).toEqual([{ type: 'text', text: 'Say in plain words what has to be done.' }])
  expect(await aiSdkSearch()({ query: ' ', tools: all })).toEqual([])
})

test('what does not fit is given as the nearest there is, and the model is told', async () => {
  const invocation = { availableTools: all }
  const answer = await copilotToolSearch().handler({ query: 'tune a grand piano' }, invocation)
  const told = JSON.parse(answer.textResultForLlm) as {
    readonly note?: string
    readonly tools: readonly object[]
  }
  expect(told.tools).toHaveLength(answer.toolReferences.length)
  expect(told.note).toMatch(/./)
  const good = await copilotToolSearch({ k: 1 }).handler({ query }, invocation)
  expect(JSON.parse(good.textResultForLlm)).toEqual({ tools: [calendar] })
})

test("Copilot's own search is not among what is found", async () => {
  const own = { name: 'tool_search_tool', description: query }
  const { toolReferences } = await copilotToolSearch().handler({ query }, { availableTools: [own, ...all] })
  expect(toolReferences[0]).toBe('create_event')
  expect(toolReferences).not.toContain('tool_search_tool')
})

test('a signal stops a search', async () => {
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(copilotToolSearch().handler({ query }, { availableTools: all, signal })).rejects.toThrow(
    'enough',
  )
})

test('Responses: arguments may be JSON text; what is found may stand in one namespace', async () => {
  const tools = all.map(toOpenAITool)
  const plain = await openAIToolSearch(tools, { k: 1 }).answer({
    call_id: 'c',
    arguments: JSON.stringify({ query }),
  })
  expect(plain).toEqual({
    type: 'tool_search_output',
    execution: 'client',
    call_id: 'c',
    status: 'completed',
    tools: [toOpenAITool(calendar)],
  })
  const namespace = { name: 'office', description: 'The office' }
  const grouped = await openAIToolSearch(tools, { k: 1, namespace }).answer({ arguments: { query } })
  expect(grouped.tools).toEqual([{ type: 'namespace', ...namespace, tools: [toOpenAITool(calendar)] }])
})

test('Agents JS: only functions that are deferred are found, as the objects that they are', async () => {
  const of = (tool: object, more: object) =>
    ({ ...tool, type: 'function', ...more }) as { type: string; name: string }
  const deferred = all.map((tool) => of(tool, { deferLoading: true }))
  const loaded = of({ ...calendar, name: 'create_event_now' }, { deferLoading: false })
  const hosted = { type: 'hosted_tool', name: 'web_search' }
  const found = await openAIAgentsToolSearch().execute({
    availableTools: [hosted, loaded, ...deferred],
    toolCall: { arguments: { query } },
  })
  expect(found[0]).toBe(deferred[2])
  expect(found).not.toContain(loaded)
})

const many = Object.fromEntries(all.map(({ name, description }) => [name, { description }]))

test('steps keep what the conversation called, what a search found, and what is always there', async () => {
  const { prepareStep } = aiSdkSteps(
    { ...many, pin: { description: 'Pin a note' } },
    { k: 1, always: ['pin'] },
  )
  const user = { role: 'user', content: [{ type: 'text', text: query }] }
  expect((await prepareStep({ messages: [user] })).activeTools).toEqual(['find_tools', 'create_event', 'pin'])
  const called = { role: 'assistant', content: [{ type: 'tool-call', toolName: 'delete_file' }] }
  const result = {
    type: 'tool-result',
    toolName: 'find_tools',
    output: { value: { tools: [{ name: 'send_email' }] } },
  }
  const { activeTools } = await prepareStep({ messages: [user, called, { role: 'tool', content: [result] }] })
  expect([...activeTools].sort()).toEqual(['create_event', 'delete_file', 'find_tools', 'pin', 'send_email'])
})

test('without a request only the search and what is known are shown', async () => {
  const { tools } = await mastraToolSearch().processInputStep({ tools: many, messages: [] })
  expect(Object.keys(tools)).toEqual(['find_tools'])
  const text = { role: 'user', content: { parts: [{ type: 'text', text: query }] } }
  const step = await mastraToolSearch({ k: 1 }).processInputStep({ tools: many, messages: [text] })
  expect(Object.keys(step.tools)).toEqual(['create_event', 'find_tools'])
})

test('LangChain: what is not searched is always shown, tools without a name too', async () => {
  const { wrapModelCall, find } = langchainToolSearch(all, { k: 1 })
  const server = { type: 'web_search_20250305' }
  const own = { name: 'think' }
  const request = { tools: [server, own, ...all], messages: [{ type: 'human', content: query }] }
  expect((await wrapModelCall(request, (asked) => asked)).tools).toEqual([server, own, calendar])
  expect(JSON.parse(await find({ query }))).toEqual({ tools: [calendar] })
})

test('schemas of zod and of the AI SDK are read, others passed over', async () => {
  expect(schemaOf(z.object({ start: z.string() }))).toMatchObject({
    properties: { start: { type: 'string' } },
  })
  expect(schemaOf(z.object({ when: z.date() }))).toMatchObject({ properties: { when: {} } })
  expect(schemaOf({ jsonSchema: { type: 'object' } })).toEqual({ type: 'object' })
  expect(schemaOf({ type: 'object' })).toEqual({ type: 'object' })
  const others = [
    undefined,
    'x',
    { jsonSchema: Promise.resolve({}) },
    { '~standard': { vendor: 'other' }, type: 'object' },
  ]
  expect(others.map(schemaOf)).toEqual([undefined, undefined, undefined, undefined])
  const vague = {
    do_it: { description: 'Do it', inputSchema: z.object({ calendar: z.string(), event: z.string() }) },
  }
  const { prepareStep } = aiSdkSteps({ ...vague, send_email: mail }, { k: 1 })
  const messages = [{ role: 'user', content: 'a new event in the calendar' }]
  expect((await prepareStep({ messages })).activeTools).toEqual(['find_tools', 'do_it'])
})

const profile = agentCard('team/reviewer', {
  agentKind: 'profile',
  instructions: 'Read all of it.',
  description: 'Reviews changes',
  backbone: { name: 'claude-opus-5' },
  tools: [{ name: 'git_diff', id: 'git/git_diff' }, { name: 'think' }],
  servers: { git: { command: 'uvx', args: ['mcp-server-git'] } },
})

test("a found profile becomes a sub-agent: tools by the host's names, servers by name and never by command", () => {
  expect(toAgentDefinition(profile)).toEqual({
    description: 'Reviews changes',
    prompt: 'Read all of it.',
    model: 'claude-opus-5',
    tools: ['mcp__git__git_diff', 'think'],
    mcpServers: ['git'],
  })
  const subagent = agentCard('team/own', {
    agentKind: 'subagent',
    instructions: 'Go.',
    backbone: { name: 'gpt-5.4' },
    tools: [{ name: 'mcp__git__git_diff', id: 'git/git_diff' }],
  })
  expect(toAgentDefinition(subagent)).toMatchObject({ tools: ['mcp__git__git_diff'] })
  expect(toAgentDefinition(subagent)).not.toHaveProperty('model')
  const toolkit = agentCard('team/kit', { agentKind: 'toolkit' })
  expect(() => toAgentDefinition(toolkit)).toThrow(RemedyError)
})

async function indexed(locations: readonly string[]): Promise<AuditionLibrary> {
  const audition = await openAudition({ home: storeFolder(), environment: {} })
  onTestFinished(() => audition.close())
  await audition.index({ locations })
  return audition
}

test('ADK: skills of the index are found, and loaded by the name that was found', async () => {
  const skill = (name: string, said: string) =>
    `---\nname: ${name}\ndescription: ${said}\n---\nHow to do ${name}.\n`
  const folder = folderWith({
    'skills/lease-review/SKILL.md': skill('lease-review', 'Reads a lease and lists what is a risk'),
    'skills/travel-plan/SKILL.md': skill('travel-plan', 'Plans a journey'),
  })
  const registry = adkSkillRegistry(await indexed([join(folder, 'skills')]))
  const [first] = await registry.searchSkills('what is dangerous in my rental contract, the lease?')
  expect(first).toEqual({ name: 'lease-review', description: 'Reads a lease and lists what is a risk' })
  expect((await registry.getSkill('lease-review')).instructions).toContain('How to do lease-review.')
  await expect(registry.getSkill('tax-return')).rejects.toThrow('There is no skill "tax-return".')
})

test('Claude Agent SDK: found tools have the names by which a session calls and loads them', async () => {
  const server = { name: 'money_server', kind: 'tool', server: 'money box', description: 'Pays' } as const
  const candidates = [{ card: { ...server, name: 'pay', id: 'money/pay' } }]
  const search = async () => ({ candidates, match: 'good', note: '' }) as never
  const [tools] = claudeAgentTools({ search })
  const { content } = await tools!.handler({ query })
  expect(JSON.parse(content[0]!.text)).toMatchObject({
    load: 'select:mcp__money_box__pay',
    tools: [{ call: 'mcp__money_box__pay', description: 'Pays' }],
  })
})
