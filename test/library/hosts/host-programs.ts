/** A program of `examples` that runs on the SDK of a host. */
type HostProgram = {
  /** Path below `examples`. */
  readonly program: string
  /** The package that it needs besides Audition. */
  readonly needs: string
  /** Lines that it prints. */
  readonly prints: readonly (string | RegExp)[]
  /** TypeScript that uses the adapter with the package's own types. */
  readonly typed: string
}

const created = 'create_event did it: {"title":"Lunch with Ada","start":"tomorrow 12:00"}'
const done = 'answer: Lunch with Ada is in your calendar.'
/** The first place alone: the others may change with the ranking. */
const found = /^found: create_event \w+ \w+$/
const nearest = /^shown: create_event \w+ \w+ find_tools$/
/** By steps: what is nearest to the request; then also what the search for an address book found. */
const bySteps = [
  nearest,
  /^shown: create_event .*\bfind_contact\b.* find_tools$/,
  `called: ${created}`,
  'called: find_contact did it: {"name":"Ada"}',
  done,
]

export const hostPrograms: readonly HostProgram[] = [
  {
    program: 'ai-sdk-6.mjs',
    needs: 'ai',
    prints: bySteps,
    typed: `import { generateText, jsonSchema, type LanguageModel, tool } from 'ai'
import { aiSdkSteps } from 'audition-mcp/hosts'
declare const model: LanguageModel
const tools = { one: tool({ inputSchema: jsonSchema<{ x: string }>({ type: 'object' }), execute: ({ x }) => x.length }) }
const { steps } = await generateText({ model, prompt: '', ...aiSdkSteps(tools, { k: 3, always: ['one'] }) })
const call = steps[0]!.staticToolCalls[0]!
if (call.toolName === 'one') call.input.x.toUpperCase()`,
  },
  {
    program: 'hosts/ai-sdk-7.mjs',
    needs: 'ai',
    prints: ['shown: find_tools', nearest, `called: ${created}`, done],
    typed: `import { generateText, jsonSchema, type LanguageModel, tool, toolSearch } from 'ai'
import { aiSdkSearch, aiSdkSteps } from 'audition-mcp/hosts'
declare const model: LanguageModel
const tools = { one: tool({ deferLoading: true, inputSchema: jsonSchema<{ x: string }>({ type: 'object' }), execute: ({ x }) => x }) }
await generateText({ model, prompt: '', tools: { ...tools, find_tools: toolSearch({ search: aiSdkSearch({ k: 3 }) }) } })
await generateText({ model, prompt: '', ...aiSdkSteps(tools) })`,
  },
  {
    program: 'hosts/openai-responses.mjs',
    needs: 'openai',
    prints: [found, `called: ${created}`, done, 'tools sent: 1 1 1'],
    typed: `import type OpenAI from 'openai'
import { openAIToolSearch, toOpenAITool } from 'audition-mcp/hosts'
declare const openai: OpenAI
declare const functions: OpenAI.Responses.FunctionTool[]
const search = openAIToolSearch([...functions, toOpenAITool({ name: 'one' })])
const input: OpenAI.Responses.ResponseInput = []
const response = await openai.responses.create({ model: 'gpt-5.4', input, tools: [search.tool] })
for (const item of response.output) if (item.type === 'tool_search_call') input.push(await search.answer(item))
const grouped = openAIToolSearch(functions, { namespace: { name: 'office', description: 'Office' } })
input.push(await grouped.answer({ arguments: {} }))`,
  },
  {
    program: 'hosts/openai-agents.mjs',
    needs: '@openai/agents',
    prints: [`called: ${created}`, done, found],
    typed: `import { Agent, toolSearchTool } from '@openai/agents'
import { openAIAgentsToolSearch } from 'audition-mcp/hosts'
new Agent({ name: 'a', tools: [toolSearchTool(openAIAgentsToolSearch({ k: 3 }))] })`,
  },
  {
    program: 'hosts/claude-api.mjs',
    needs: '@anthropic-ai/sdk',
    prints: [found, `called: ${created}`, done, 'shown at first: find_tools'],
    typed: `import type Anthropic from '@anthropic-ai/sdk'
import { claudeToolSearch, toClaudeTool } from 'audition-mcp/hosts'
declare const claude: Anthropic
declare const own: Anthropic.Tool[]
const search = claudeToolSearch([...own, toClaudeTool({ name: 'one' })])
const messages: Anthropic.MessageParam[] = []
const { content } = await claude.messages.create({ model: 'x', max_tokens: 9, tools: search.tools, messages })
for (const use of content) if (use.type === 'tool_use') messages.push({ role: 'user', content: [await search.answer(use)] })`,
  },
  {
    program: 'hosts/claude-agent-sdk.mjs',
    needs: '@anthropic-ai/claude-agent-sdk',
    prints: [
      'sub-agent: Reviews a change before it is merged - Read Grep',
      /^tools: convert_currency/,
      'the sub-agent was given its prompt: true',
      'answer: Reviewed.',
    ],
    typed: `import { createSdkMcpServer, type Options } from '@anthropic-ai/claude-agent-sdk'
import { type Card, openAudition } from 'audition-mcp'
import { claudeAgentTools, toAgentDefinition } from 'audition-mcp/hosts'
declare const card: Card
const audition = createSdkMcpServer({ name: 'audition', tools: claudeAgentTools(await openAudition()) })
export const options: Options = { mcpServers: { audition }, agents: { one: toAgentDefinition(card) } }`,
  },
  {
    program: 'hosts/copilot.mjs',
    needs: '@github/copilot-sdk',
    prints: [`called: ${created}`, done, found, 'sent of the office at first: 0'],
    typed: `import type { SessionConfig } from '@github/copilot-sdk'
import { copilotToolSearch } from 'audition-mcp/hosts'
export const tools: SessionConfig['tools'] = [copilotToolSearch({ k: 3 })]`,
  },
  {
    program: 'hosts/langchain.mjs',
    needs: 'langchain',
    prints: bySteps,
    typed: `import { tool } from '@langchain/core/tools'
import { createAgent, createMiddleware } from 'langchain'
import { langchainToolSearch } from 'audition-mcp/hosts'
const all = [tool(() => 'x', { name: 'one', description: '', schema: { type: 'object', properties: {} } })]
const search = langchainToolSearch(all)
const tools = [tool(search.find, search.definition)]
const middleware = createMiddleware({ name: 'a', tools, wrapModelCall: search.wrapModelCall })
createAgent({ model: 'x', tools: all, middleware: [middleware] })`,
  },
  {
    program: 'hosts/mastra.mjs',
    needs: '@mastra/core',
    prints: bySteps,
    typed: `import { Agent } from '@mastra/core/agent'
import { mastraToolSearch } from 'audition-mcp/hosts'
new Agent({ id: 'a', name: 'a', instructions: '', model: 'openai/x', inputProcessors: [mastraToolSearch({ k: 3 })] })`,
  },
  {
    program: 'hosts/google-adk.mjs',
    needs: '@google/adk',
    prints: [
      /^found: .*"lease-review".*"travel-plan"/,
      /^loaded: .*How to do lease-review/,
      'answer: Clause 4 is a risk.',
    ],
    typed: `import { type Skill, SkillToolset } from '@google/adk'
import { openAudition } from 'audition-mcp'
import { adkSkillRegistry } from 'audition-mcp/hosts'
declare const skills: Skill[]
new SkillToolset([], { registry: adkSkillRegistry(skills) })
new SkillToolset([], { registry: adkSkillRegistry(await openAudition()) })`,
  },
]
