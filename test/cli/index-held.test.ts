import { expect, test } from 'vitest'
import type { SourceReport } from '../../src/compose/app.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { answerOf } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const source: SourceReport = {
  source: 'tracker',
  location: '/home/ann/.mcp.json#tracker',
  reader: 'mcp-server',
  added: 0,
  changed: 0,
  unchanged: 8,
  removed: 0,
  problems: [],
  held: { quarantined: 1, changed: 2 },
  version: { before: '1.2.0', now: '1.3.0' },
  findings: [
    {
      card: 'tracker/new',
      findings: [
        {
          rule: 'hidden-characters',
          severity: 'hard',
          field: 'description',
          excerpt: 'x',
          message: 'hides text',
        },
      ],
    },
  ],
  changes: [
    { card: 'tracker/a', change: 'text', replaces: 'tracker/a' },
    { card: 'tracker/b', change: 'name', replaces: 'tracker/old' },
  ],
}

const audition = scriptedAudition({
  search: async ({ kind }) => answerOf(kind, []),
  sources: async () => [],
  index: async () => ({ sources: [source], problems: [], tools: 7, agents: 1, seconds: 1 }),
})

test('an index run has one line per source that holds cards, with the next command', async () => {
  const file = `${folderWith({ 'a.json': '[]' })}/a.json`
  const { code, stdout } = await runCaptured(['index', file], audition)
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n').at(-3)).toBe(
    'held  tracker 1.2.0 -> 1.3.0: 2 changed (the old ones stay in search), 1 quarantined. See: audition sources show tracker',
  )
})

test('a dry run lists what it would quarantine, flag and hold', async () => {
  const file = `${folderWith({ 'a.json': '[]' })}/a.json`
  const { stdout } = await runCaptured(['index', '--dry-run', file], audition)
  expect(stdout).toContain('quarantine  tracker/new description: hidden-characters, hides text')
  expect(stdout).toContain('hold        tracker/a: it says something else than the card in search')
  expect(stdout).toContain('hold        tracker/b (was tracker/old): it was renamed')
  expect(stdout).toContain('would hold  tracker 1.2.0 -> 1.3.0: 2 changed')
})
