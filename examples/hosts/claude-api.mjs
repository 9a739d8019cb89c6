// Claude's Messages API: every tool is deferred, and Audition's search answers with references to those that fit.
import Anthropic from '@anthropic-ai/sdk'
import { claudeToolSearch, toClaudeTool } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'
import { claudeReply, scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel([
  claudeReply({ name: 'find_tools', input: { query: 'put an appointment into the calendar' } }),
  claudeReply({ name: 'create_event', input: { title: 'Lunch with Ada', start: 'tomorrow 12:00' } }),
  claudeReply('Lunch with Ada is in your calendar.'),
])
const claude = new Anthropic({ baseURL: model.url, apiKey: 'none' })

const search = claudeToolSearch(tools.map(toClaudeTool), { k: 3 })
const messages = [{ role: 'user', content: request }]
for (let step = 0; step < 5; step++) {
  const { content, stop_reason } = await claude.messages.create({
    ...{ model: 'claude-sonnet-5', max_tokens: 1000, tools: search.tools, messages },
  })
  messages.push({ role: 'assistant', content })
  const results = []
  for (const block of content) {
    if (block.type === 'text') console.log('answer:', block.text)
    if (block.type !== 'tool_use') continue
    if (block.name === 'find_tools') {
      const result = await search.answer(block)
      console.log('found:', ...result.content.map(({ tool_name }) => tool_name))
      results.push(result)
    } else {
      const output = call(block.name, block.input)
      console.log('called:', output)
      results.push({ type: 'tool_result', tool_use_id: block.id, content: output })
    }
  }
  if (stop_reason !== 'tool_use') break
  messages.push({ role: 'user', content: results })
}
const shown = model.bodies[0].tools.filter((tool) => tool.defer_loading !== true)
console.log('shown at first:', ...shown.map(({ name }) => name))
model.close()
