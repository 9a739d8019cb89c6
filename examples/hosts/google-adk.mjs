// Google ADK JS: a registry of skills whose search is Audition's.
import { Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel, SkillToolset } from '@google/adk'
import { adkSkillRegistry } from 'audition-mcp/hosts'
import { scriptedModel } from './scripted-model.mjs'

setLogLevel(LogLevel.ERROR)
const skills = [
  ['lease-review', 'Reads a lease and lists the clauses that are a risk for the tenant.'],
  ['travel-plan', 'Plans a journey: routes, hotels and what to see.'],
  ['release-notes', 'Writes the notes of a release from its commits.'],
].map(([name, description]) => ({ frontmatter: { name, description }, instructions: `How to do ${name}.` }))

const says = (part) => ({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] })
const model = await scriptedModel([
  says({
    functionCall: { name: 'search_skills', args: { query: 'what is dangerous in my rental contract?' } },
  }),
  says({ functionCall: { name: 'load_skill', args: { name: 'lease-review' } } }),
  says({ text: 'Clause 4 is a risk.' }),
])

process.env.GOOGLE_GEMINI_BASE_URL = model.url // left out, the address of Google

const agent = new LlmAgent({
  ...{ name: 'office', instruction: 'Do what is asked for.' },
  model: new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none' }),
  tools: [new SkillToolset([], { registry: adkSkillRegistry(skills, { k: 2 }) })],
})
const runner = new InMemoryRunner({ agent, appName: 'office' })
const { id: sessionId } = await runner.sessionService.createSession({ appName: 'office', userId: 'me' })
const newMessage = { role: 'user', parts: [{ text: 'What is dangerous in my rental contract?' }] }
for await (const { content } of runner.runAsync({ userId: 'me', sessionId, newMessage }))
  for (const { functionResponse: answered, text } of content?.parts ?? []) {
    if (answered?.name === 'search_skills') console.log('found:', JSON.stringify(answered.response))
    if (answered?.name === 'load_skill') console.log('loaded:', JSON.stringify(answered.response))
    if (text !== undefined) console.log('answer:', text)
  }
model.close()
