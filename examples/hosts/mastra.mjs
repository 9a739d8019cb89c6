// Mastra: an input processor that leaves the model the tools that fit, and adds one by which it searches for more.
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { mastraToolSearch } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'
import { chatReply, scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel([
  chatReply({ name: 'create_event', input: { title: 'Lunch with Ada', start: 'tomorrow 12:00' } }),
  chatReply({ name: 'find_tools', input: { query: 'who is Ada? look in the address book' } }),
  chatReply({ name: 'find_contact', input: { name: 'Ada' } }),
  chatReply('Lunch with Ada is in your calendar.'),
])

const all = Object.fromEntries(
  tools.map(({ name, description, inputSchema }) => [
    name,
    createTool({
      ...{ id: name, description },
      inputSchema: z.object(Object.fromEntries(inputSchema.required.map((input) => [input, z.string()]))),
      execute: async (input) => {
        console.log('called:', call(name, input))
        return { did: call(name, input) }
      },
    }),
  ]),
)
const agent = new Agent({
  ...{ id: 'office', name: 'Office', instructions: 'Do what is asked for.', tools: all },
  model: { id: 'openai/scripted', url: model.url, apiKey: 'none' },
  inputProcessors: [mastraToolSearch({ k: 3 })],
})
const { text } = await agent.generate(request, { maxSteps: 5 })

for (const { tools: shown } of model.bodies) console.log('shown:', ...shown.map((one) => one.function.name))
console.log('answer:', text)
model.close()
