import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lanceTrackRecord } from '../../src/adapters/lancedb/record/track-record.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { graded, outcomeOf } from '../adapters/lancedb/some-outcomes.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const wide = { env: { COLUMNS: '120' } }

/** The command over a real record. */
async function over(...outcomes: readonly Outcome[]) {
  const record = lanceTrackRecord(temporaryFolder(), { embed: async () => null })
  await record.add(outcomes)
  const audition = scriptedAudition({ record: async () => record })
  return { record, run: (...argv: readonly string[]) => runCaptured(['record', ...argv], audition, wide) }
}

const two = [
  outcomeOf({ id: 'a', seconds: 1 }),
  outcomeOf({ id: 'b', seconds: 3, time: '2026-03-02T10:00:00.000Z', verdict: graded(2) }),
  outcomeOf({
    id: 'c',
    card: 'agents/lease',
    kind: 'agent',
    time: '2026-01-01T00:00:00.000Z',
    verdict: null,
  }),
]

describe('audition record', () => {
  test('shows a row per card, the one that ran last first', async () => {
    const { run, record } = await over(...two)
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "card             runs  graded    worked  median  last
      post/send_email     2       2  1 (50 %)   2.0 s  2026-03-02 10:00
      agents/lease        1       0         –   1.5 s  2026-01-01 00:00
      "
    `)
    await record.close()
  })

  test('shows uses beside what was judged, and counts them in nothing else', async () => {
    const use = (id: string, became: 'worked' | 'failed' | 'refused') =>
      outcomeOf({
        id,
        task: '',
        verdict: null,
        origin: 'use',
        use: became,
        seconds: 1,
        ending: ({ worked: 'answered', failed: 'failed', refused: 'cancelled' } as const)[became],
      })
    const { run, record } = await over(...two, use('d', 'worked'), use('e', 'failed'), use('f', 'refused'))
    const { stdout } = await run()
    expect(stdout).toMatch(/runs +graded +worked +uses +answered/)
    expect(stdout).toMatch(/post\/send_email +2 +2 +1 \(50 %\) +2 +1 \(50 %\)/)
    const { stdout: one } = await run('--card', 'post/send_email')
    expect(one).toMatch(/worked +– +a use, which nobody judged/)
    await record.close()
  })

  test('shows the outcomes of one card', async () => {
    const { run, record } = await over(...two)
    const { stdout } = await run('--card', 'post/send_email')
    expect(stdout).toContain('because')
    expect(stdout).not.toContain('agents/lease')
    await record.close()
  })

  test('says what to do when nothing was run', async () => {
    const { run, record } = await over()
    expect((await run()).stdout).toContain('audition probe')
    await record.close()
  })

  test('what it exports it imports again, once', async () => {
    const from = await over(...two)
    const file = join(temporaryFolder(), 'record.jsonl')
    expect((await from.run('export', file)).stderr).toContain('Wrote 3 outcomes')
    const to = await over(two[0]!)
    expect((await to.run('import', file)).stdout).toBe(
      'Added 2 outcomes; there already: 1; lines left out: 0.\n',
    )
    expect(await to.record.list()).toEqual(await from.record.list())
    for (const words of [[], ['-']])
      expect((await to.run('export', ...words)).stdout).toBe(readFileSync(file, 'utf8'))
    await Promise.all([from.record.close(), to.record.close()])
  })

  test('a file that cannot be written is told, with why and what to do', async () => {
    const { run, record } = await over(...two)
    const file = join(temporaryFolder(), 'nowhere', 'record.jsonl')
    const { code, stderr } = await run('export', file)
    expect(code).toBe(1)
    expect(stderr).toContain('record.jsonl: cannot be written: its folder does not exist (ENOENT).\n  Check')
    await record.close()
  })

  test('tells bad lines by number and field, and takes the others', async () => {
    const { run, record } = await over()
    const file = join(temporaryFolder(), 'record.jsonl')
    const lines = [
      '{"id": "cut',
      JSON.stringify(two[0]),
      JSON.stringify({ ...two[1], seconds: -1 }),
      JSON.stringify({ ...two[1], time: 'yesterday' }),
      JSON.stringify({ ...two[1], card: 'no-source' }),
      '',
      '7',
    ]
    writeFileSync(file, lines.join('\n'))
    const { code, stdout, stderr } = await run('import', file)
    expect(code).toBe(1)
    expect(stdout).toBe('Added 1 outcome; there already: 0; lines left out: 5.\n')
    for (const said of [
      'line 1: not complete JSON',
      'line 3: "seconds"',
      'line 4: "time"',
      'line 5: "card"',
      'line 7:',
    ])
      expect(stderr).toContain(said)
    expect(await record.list()).toEqual([two[0]])
    await record.close()
  })

  test('forgets what is named, and nobody is asked with --yes', async () => {
    const { run, record } = await over(...two)
    expect((await run('forget', '--before', '2026-02-01', '--yes')).stdout).toBe('Forgot 1 outcome.\n')
    expect((await run('forget', '--card', 'nobody/knows', '--yes')).stdout).toContain('No outcome matches')
    expect((await record.list()).map(({ id }) => id)).toEqual(['b', 'a'])
    expect((await run('forget', '--all', '--yes')).stdout).toBe('Forgot 2 outcomes.\n')
    await record.close()
  })

  test.each([
    { why: 'nothing is named', argv: ['forget', '--yes'] },
    { why: 'everything and something are', argv: ['forget', '--all', '--card', 'a/b', '--yes'] },
    { why: 'a date is none', argv: ['forget', '--before', 'spring', '--yes'] },
    { why: 'nobody can be asked', argv: ['forget', '--all'] },
  ])('forgets nothing when $why', async ({ argv }) => {
    const { run, record } = await over(...two)
    const { code, stderr } = await run(...argv)
    expect([code, (await record.list()).length]).toEqual([2, 3])
    expect(stderr).toMatch(/--card|--yes|--before/)
    await record.close()
  })
})
