// OpenAI Agents JS: `toolSearchTool`, executed here by Audition among the functions that are deferred.
import { Agent, OpenAIProvider, Runner, tool, toolSearchTool } from '@openai/agents'
import { openAIAgentsToolSearch } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'
import { calendarReplies, scriptedModel } from './scripted-model.mjs'

const lunch = { title: 'Lunch with Ada', start: 'tomorrow 12:00' }
const model = await scriptedModel(calendarReplies(lunch))

const functions = tools.map(({ name, description, inputSchema }) =>
  tool({
    ...{ name, description, strict: false, deferLoading: true },
    parameters: { ...inputSchema, additionalProperties: true },
    execute: (input) => {
      console.log('called:', call(name, input))
      return call(name, input)
    },
  }),
)
const agent = new Agent({
  ...{ name: 'Office', instructions: 'Do what is asked for.', model: 'gpt-5.4' },
  tools: [...functions, toolSearchTool(openAIAgentsToolSearch({ k: 3 }))],
})
const modelProvider = new OpenAIProvider({ baseURL: model.url, apiKey: 'none', useResponses: true })
const { finalOutput } = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, request)
console.log('answer:', finalOutput)

const found = model.bodies[1].input.find(({ type }) => type === 'tool_search_output')
console.log('found:', ...found.tools.map(({ name }) => name))
model.close()
