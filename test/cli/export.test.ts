import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { agentCard, toolCard } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const agent = agentCard({
  id: 'team/clerk',
  source: 'team',
  name: 'clerk',
  description: 'Adds up invoices',
  examples: ['Add these up'],
  backbone: { name: 'gpt-4o', id: 'openai/gpt-4o' },
  tools: [{ name: 'add', id: 'sums/add', description: 'Adds.' }],
  policy: { temperature: 0, max_steps: 4 },
  instructions: 'Add.',
})
const audition = scriptedAudition({
  cards: async (ids) => [agent, toolCard()].filter(({ id }) => ids.includes(id)),
  closestIds: async () => [agent.id],
})
const run = (...words: readonly string[]) => runCaptured(['export', ...words], audition)

describe('audition export', () => {
  test('prints the file alone on standard output, and beside it what is lost and to be done', async () => {
    const { code, stdout, stderr } = await run(agent.id, '--as', 'crewai')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^clerk:\n {2}role: Lease reviewer\n/)
    expect(stderr).toContain('Not in the format of CrewAI, or otherwise: instructions')
    expect(stderr).toContain('A crew finds tools by the names of its @tool methods.')
    expect(stderr).toContain('--write <folder> writes tasks.yaml too.')
  })

  test('writes the files, the same again, and none where another stands', async () => {
    const crew = join(folder, 'crew', 'config')
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout } = await run(agent.id, '--as', 'crewai', '--write', crew)
      expect(code).toBe(0)
      expect(stdout).toContain(`wrote ${join(crew, 'agents.yaml')}`)
    }
    expect(readdirSync(crew).sort()).toEqual(['agents.yaml', 'tasks.yaml'])
    expect(readFileSync(join(crew, 'tasks.yaml'), 'utf8')).toContain('description: Add these up')
    writeFileSync(join(crew, 'tasks.yaml'), 'other: {}\n')
    const refused = await run(agent.id, '--as', 'crewai', '--write', crew)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('is there already, and says something else.')
  })

  test('a folder that cannot be made or written is told in words', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { code, stderr } = await run(agent.id, '--as', 'agno', '--write', join(file, 'under'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot be written: a file stands where a folder should be \(ENOTDIR\)\./)
    if (process.getuid?.() === 0) return
    const closed = mkdtempSync(join(folder, 'closed-'))
    chmodSync(closed, 0o500)
    expect((await run(agent.id, '--as', 'agno', '--write', closed)).stderr).toContain('permission is denied')
  })

  test('gives all as JSON', async () => {
    const { stdout } = await run(agent.id, '--as', 'langgraph', '--json')
    const { as, files, lost, notes } = JSON.parse(stdout)
    expect({ as, lost, files: files.length }).toEqual({
      as: 'langgraph',
      lost: ['tools.description', 'tools.server'],
      files: 1,
    })
    expect(JSON.parse(files[0].text)).toMatchObject({ context: { model: 'openai:gpt-4o', tools: ['add'] } })
    expect(notes.join()).toContain('create_agent')
  })

  test.each([
    { why: 'no framework', words: [agent.id], code: 2, said: 'agno, langgraph, crewai, agent-framework' },
    { why: 'a tool', words: [toolCard().id, '--as', 'agno'], code: 2, said: 'is a tool' },
    { why: 'an unknown id', words: ['team/nobody', '--as', 'agno'], code: 1, said: 'no tool or agent' },
  ])('refuses $why', async ({ words, code, said }) => {
    const ended = await run(...words)
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(said)
  })
})
