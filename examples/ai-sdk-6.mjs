// AI SDK 6 has no tool search: a `prepareStep` shows at each step the tools that fit, and a tool searches for more.
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { aiSdkSteps } from 'audition-mcp/hosts'
import { call, request, tools } from './hosts/office-tools.mjs'

const all = Object.fromEntries(
  tools.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema), execute: (input) => call(name, input) }),
  ]),
)

// The SDK's own mock of a model, so that the program runs without a key: a real one goes here.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const calls = (toolName, input) => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' },
})
const script = [
  calls('create_event', { title: 'Lunch with Ada', start: 'tomorrow 12:00' }),
  calls('find_tools', { query: 'who is Ada? look in the address book' }),
  calls('find_contact', { name: 'Ada' }),
  {
    content: [{ type: 'text', text: 'Lunch with Ada is in your calendar.' }],
    finishReason: { unified: 'stop' },
  },
]
const model = new MockLanguageModelV3({
  doGenerate: async ({ tools: shown }) => {
    console.log('shown:', ...shown.map(({ name }) => name))
    return { ...script.shift(), usage, warnings: [] }
  },
})

const office = aiSdkSteps(all, { k: 3 })
const { text, steps } = await generateText({ model, prompt: request, ...office, stopWhen: stepCountIs(5) })
for (const { toolResults } of steps)
  for (const { toolName, output } of toolResults)
    if (toolName !== 'find_tools') console.log('called:', output)
console.log('answer:', text)
