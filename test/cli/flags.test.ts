import { expect, test } from 'vitest'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { fakeAudition, toolCard } from '../fakes/fake-audition.ts'

const flag = {
  rule: 'tool-shadowing',
  severity: 'soft',
  field: 'description',
  excerpt: 'instead of \u202eother',
  message: 'speaks of a tool of another server',
} as const
const audition = () =>
  fakeAudition([
    toolCard('notes/read_note', { description: 'Reads a note.', flags: [flag] }),
    toolCard('notes/write_note', { description: 'Writes a note.' }),
  ])

test('a search names the flagged candidates, what was found, and where to read more', async () => {
  const { stdout } = await runCaptured(['search', '--tools', 'read a note'], audition())
  expect(stdout).toContain(
    'Flagged by the scan; `audition show <id>` says where and why:\n  #1 notes/read_note (tool-shadowing)\n',
  )
  expect(stdout.match(/Flagged/g)).toHaveLength(1)
  expect(stdout).not.toContain('#2')
})

test('show says what was found, before the text itself', async () => {
  const { stdout } = await runCaptured(['show', 'notes/read_note'], audition())
  expect(stdout).toContain(
    'Flagged by the scan at import:\n  tool-shadowing  description: speaks of a tool of another server "instead of other"',
  )
  expect(stdout.indexOf('Flagged')).toBeLessThan(stdout.indexOf('Reads a note.'))
})
