// OpenAI's Responses API: `tool_search`, executed here by Audition.
import OpenAI from 'openai'
import { openAIToolSearch, toOpenAITool } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'
import { calendarReplies, scriptedModel } from './scripted-model.mjs'

const lunch = { title: 'Lunch with Ada', start: 'tomorrow 12:00' }
const model = await scriptedModel(calendarReplies(lunch))
const openai = new OpenAI({ baseURL: model.url, apiKey: 'none' })

const search = openAIToolSearch(tools.map(toOpenAITool), { k: 3 })
const input = [{ role: 'user', content: request }]
for (let step = 0; step < 5; step++) {
  const response = await openai.responses.create({
    model: 'gpt-5.4',
    input,
    tools: [search.tool],
    store: false,
  })
  input.push(...response.output)
  for (const item of response.output) {
    if (item.type === 'tool_search_call') {
      const found = await search.answer(item)
      console.log('found:', ...found.tools.map(({ name }) => name))
      input.push(found)
    }
    if (item.type === 'function_call') {
      const output = call(item.name, JSON.parse(item.arguments))
      console.log('called:', output)
      input.push({ type: 'function_call_output', call_id: item.call_id, output })
    }
    if (item.type === 'message') console.log('answer:', response.output_text)
  }
  if (response.output.every(({ type }) => type === 'message')) break
}
console.log('tools sent:', ...model.bodies.map(({ tools: sent }) => sent.length))
model.close()
