import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { globSync } from 'tinyglobby'
import type { CardFlag } from '../../src/domain/finding.ts'
import { agentCard, fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { connectInMemory, textOf } from './connect.ts'

const flag = (rule: string): CardFlag => ({
  rule,
  severity: 'soft',
  field: 'parameters.EVIL_FIELD.description',
  excerpt: 'EVIL_EXCERPT',
  message: 'says EVIL_MESSAGE',
})
const flags = [flag('tool-shadowing'), flag('urges-calls'), flag('urges-calls')]
const cards = [
  toolCard('notes/read_note', { description: 'Reads a note.', flags }),
  toolCard('notes/write_note', { description: 'Writes a note.' }),
  agentCard('team/clerk', { description: 'Reads every note.', flags }),
]
const client = () => connectInMemory(fakeAudition(cards))

test.each([{ max_tokens: 300 }, { max_tokens: 4000, detail: 'full' }])(
  'a search flags candidates by the names of rules within %o, and quotes nothing',
  async (options) => {
    for (const [name, id] of [
      ['search_tools', 'notes/read_note'],
      ['search_agents', 'team/clerk'],
    ] as const) {
      const need = name === 'search_tools' ? { query: 'read a note' } : { task: 'read a note' }
      const result = await (await client()).callTool({ name, arguments: { ...need, ...options } })
      const { candidates } = result.structuredContent as { candidates: { id: string; flags?: string[] }[] }
      expect(candidates.find((one) => one.id === id)?.flags).toEqual(['tool-shadowing', 'urges-calls'])
      expect(candidates.filter((one) => one.flags !== undefined)).toHaveLength(1)
      expect(textOf(result as never)).toContain('[flagged: tool-shadowing, urges-calls]')
      expect(JSON.stringify(result)).not.toContain('EVIL')
    }
  },
)

test('describe and resources flag cards in the same way', async () => {
  const connected = await client()
  const described = await connected.callTool({
    name: 'describe',
    arguments: { ids: ['notes/read_note', 'team/clerk', 'notes/write_note'] },
  })
  const { cards: shown } = described.structuredContent as { cards: { flags?: string[] }[] }
  expect(shown.map((card) => card.flags?.length ?? 0)).toEqual([2, 2, 0])
  const tool = await connected.readResource({ uri: 'audition://tools/notes/read_note' })
  const agent = await connected.readResource({ uri: 'audition://agents/team/clerk' })
  expect(JSON.parse((tool.contents[0] as { text: string }).text).flags).toEqual([
    'tool-shadowing',
    'urges-calls',
  ])
  expect((agent.contents[0] as { text: string }).text).toContain(
    '# Flagged by the scan at import: tool-shadowing, urges-calls',
  )
  expect(JSON.stringify([described, tool, agent])).not.toContain('EVIL')
})

test('nothing of the MCP server can release a card, or so much as read what is held', () => {
  const folder = new URL('../../src/server', import.meta.url).pathname
  const calls = globSync('**/*.ts', { cwd: folder }).filter((file) =>
    /\.(?:accept|decideTrust|reviews)\(|review\//.test(readFileSync(`${folder}/${file}`, 'utf8')),
  )
  // The API of the page is not of the MCP server, and what decides there is for the owner alone: api.test.ts.
  const ofOwner = (file: string): boolean =>
    readFileSync(`${folder}/${file}`, 'utf8').includes("who: 'owner'")
  expect(calls.filter((file) => !(file.startsWith('api/') && ofOwner(file)))).toEqual([])
})
