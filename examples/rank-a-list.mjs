// Ranks tools that lie in memory: no store, no setting, no network.
import { rank } from 'audition-mcp'

const tools = [
  { name: 'send_email', description: 'Send an email to somebody' },
  {
    name: 'create_event',
    description: 'Put an appointment into the calendar',
    inputSchema: { type: 'object', properties: { title: { type: 'string' }, start: { type: 'string' } } },
  },
  { name: 'delete_file', description: 'Delete a file from the disk' },
]

const { tools: ranked, match, note } = await rank(tools, 'put lunch with Ada into my calendar')
console.log(match, note)
for (const { tool, score } of ranked) console.log(score.toFixed(3), tool.name)
