// Claude Agent SDK: the user's index as tools of the session, and an agent that a search found as its sub-agent.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, query } from '@anthropic-ai/claude-agent-sdk'
import { openAudition } from 'audition-mcp'
import { claudeAgentTools, toAgentDefinition } from 'audition-mcp/hosts'
import { claudeReply, claudeStream, scriptedModel } from './scripted-model.mjs'

const home = await mkdtemp(join(tmpdir(), 'audition-claude-'))
const audition = await openAudition({ home: join(home, 'store') })
const agents = join(home, 'agents')
await mkdir(agents)
await writeFile(
  join(agents, 'reviewer.md'),
  '---\nname: reviewer\ndescription: Reviews a change before it is merged\ntools: Read, Grep\n---\nRead the whole change first.\n',
)
await audition.index({ locations: [agents, fileURLToPath(new URL('../tools', import.meta.url))] })

// A sub-agent from the index: its prompt is the words of whoever wrote the card, so read it before it runs.
const filter = { agentKinds: ['subagent'] }
const { candidates } = await audition.search({ kind: 'agent', query: 'review a pull request', filter })
const [card] = await audition.cards([candidates[0].card.id])
const reviewer = toAgentDefinition(card)
console.log('sub-agent:', reviewer.description, '-', reviewer.tools.join(' '))

const script = [
  { name: 'mcp__audition__search_tools', input: { query: 'how many dollars are 20 euros?' } },
  {
    name: 'Agent',
    input: {
      subagent_type: 'reviewer',
      description: 'review',
      prompt: 'Review change 7.',
      run_in_background: false,
    },
  },
  'The change is fine.',
  'Reviewed.',
]
const model = await scriptedModel([
  // The session also asks for titles and the like, without tools.
  ({ tools = [] }) => claudeStream(claudeReply(tools.length === 0 ? 'A title' : script.shift())),
])
const session = query({
  prompt: 'Which tool turns euros into dollars? Then have change 7 reviewed.',
  options: {
    ...{ cwd: home, settingSources: [], maxTurns: 6 },
    mcpServers: { audition: createSdkMcpServer({ name: 'audition', tools: claudeAgentTools(audition) }) },
    agents: { reviewer },
    allowedTools: ['mcp__audition__search_tools', 'Agent'],
    env: {
      ...{ PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home, ANTHROPIC_API_KEY: 'none' },
      ...{ ANTHROPIC_BASE_URL: model.url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    },
  },
})
for await (const message of session) {
  for (const { content } of message.type === 'user' ? message.message.content : [])
    if (content?.[0]?.text?.startsWith('{"match"')) {
      const { tools } = JSON.parse(content[0].text)
      console.log('tools:', ...tools.map(({ call }) => call))
    }
  if (message.type === 'result') console.log('answer:', message.result)
}
const asked = model.bodies.find(({ system }) => JSON.stringify(system ?? '').includes(reviewer.prompt))
console.log('the sub-agent was given its prompt:', asked !== undefined)
model.close()
await audition.close()
await rm(home, { recursive: true, force: true })
