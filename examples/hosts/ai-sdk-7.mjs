// AI SDK 7: `toolSearch`, whose search is Audition's, over tools that are deferred.
import { generateText, isStepCount, jsonSchema, tool, toolSearch } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { aiSdkSearch } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'

const deferred = Object.fromEntries(
  tools.map(({ name, description, inputSchema }) => [
    name,
    tool({
      ...{ description, deferLoading: true },
      inputSchema: jsonSchema(inputSchema),
      execute: (input) => call(name, input),
    }),
  ]),
)

// The SDK's own mock of a model, so that the program runs without a key: a real one goes here.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const calls = (toolName, input) => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' },
})
const script = [
  calls('find_tools', { query: 'put an appointment into the calendar' }),
  calls('create_event', { title: 'Lunch with Ada', start: 'tomorrow 12:00' }),
  {
    content: [{ type: 'text', text: 'Lunch with Ada is in your calendar.' }],
    finishReason: { unified: 'stop' },
  },
]
const model = new MockLanguageModelV4({
  doGenerate: async ({ tools: shown }) => {
    console.log('shown:', ...shown.map(({ name }) => name))
    return { ...script.shift(), usage, warnings: [] }
  },
})

const { text, steps } = await generateText({
  model,
  prompt: request,
  tools: { ...deferred, find_tools: toolSearch({ search: aiSdkSearch({ k: 3 }), maxResults: 3 }) },
  stopWhen: isStepCount(5),
})
console.log('called:', steps[1].toolResults[0].output)
console.log('answer:', text)
