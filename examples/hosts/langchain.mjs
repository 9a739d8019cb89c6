// LangChain JS 1: a middleware that shows the model the tools that fit, and a tool by which it searches for more.
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, createMiddleware } from 'langchain'
import { langchainToolSearch } from 'audition-mcp/hosts'
import { call, request, tools } from './office-tools.mjs'
import { chatReply, scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel([
  chatReply({ name: 'create_event', input: { title: 'Lunch with Ada', start: 'tomorrow 12:00' } }),
  chatReply({ name: 'find_tools', input: { query: 'who is Ada? look in the address book' } }),
  chatReply({ name: 'find_contact', input: { name: 'Ada' } }),
  chatReply('Lunch with Ada is in your calendar.'),
])

const all = tools.map(({ name, description, inputSchema }) =>
  tool((input) => call(name, input), { name, description, schema: inputSchema }),
)
const search = langchainToolSearch(all, { k: 3 })
const audition = createMiddleware({
  name: 'AuditionToolSearch',
  tools: [tool(search.find, search.definition)],
  wrapModelCall: search.wrapModelCall,
})
const agent = createAgent({
  model: new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: model.url } }),
  tools: all,
  middleware: [audition],
})
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: request }] })

for (const { tools: shown } of model.bodies) console.log('shown:', ...shown.map((one) => one.function.name))
for (const { type, name, content } of messages)
  if (type === 'tool' && name !== 'find_tools') console.log('called:', content)
console.log('answer:', messages.at(-1).content)
model.close()
