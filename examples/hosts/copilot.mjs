// GitHub Copilot SDK: Audition in the place of Copilot's own tool search, among all that the session has.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approveAll, CopilotClient } from '@github/copilot-sdk'
import { copilotToolSearch } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'
import { calendarReplies, scriptedModel } from './scripted-model.mjs'

const lunch = { title: 'Lunch with Ada', start: 'tomorrow 12:00' }
const model = await scriptedModel(calendarReplies(lunch))

const home = await mkdtemp(join(tmpdir(), 'audition-copilot-'))
const client = new CopilotClient({ baseDirectory: home, workingDirectory: home, useLoggedInUser: false })
const session = await client.createSession({
  // Copilot searches where it is told to, or where it has switched the search on itself; else it sends every tool.
  toolSearch: { enabled: true },
  model: 'gpt-5.4',
  provider: { type: 'openai', wireApi: 'responses', baseUrl: model.url, apiKey: 'none' },
  streaming: false,
  onPermissionRequest: approveAll,
  tools: [
    copilotToolSearch({ k: 3 }),
    ...tools.map(({ name, description, inputSchema }) => ({
      ...{ name, description, parameters: inputSchema },
      handler: (input) => {
        console.log('called:', call(name, input))
        return call(name, input)
      },
    })),
  ],
})
const answer = await session.sendAndWait({ prompt: request }, 60_000)
console.log('answer:', answer?.data.content)

const found = model.bodies[1].input.find(({ type }) => type === 'tool_search_output')
console.log('found:', ...found.tools.map(({ name }) => name))
const office = new Set(tools.map(({ name }) => name))
console.log(
  'sent of the office at first:',
  model.bodies[0].tools.filter(({ name }) => office.has(name)).length,
)
await client.stop()
model.close()
await rm(home, { recursive: true, force: true })
