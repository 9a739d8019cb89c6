import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { tinySources } from '../training/recommend/tiny-recommendations.ts'

describe('audition recommend, over the real trainer', () => {
  let sources: string
  let home: string
  beforeAll(() => {
    sources = tinySources()
    home = mkdtempSync(`${sources}-home-`)
  })
  afterAll(() => {
    for (const folder of [sources, home]) rmSync(folder, { recursive: true, force: true })
  })
  const run = (...argv: string[]) =>
    runCaptured(
      ['recommend', ...argv],
      openAudition(configFrom({ AUDITION_READER: 'none', AUDITION_HOME: home })),
    )

  test('builds a dataset and tells what it holds', async () => {
    const out = join(home, 'requests')
    const { code, stdout, stderr } = await run(
      ...[
        'build',
        '--outcomes',
        join(sources, 'outcomes.jsonl'),
        '--sets',
        join(sources, 'sets'),
        '--out',
        out,
      ],
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('PartI: 66 queries, 3 agents, ')
    expect(stdout).toContain('PartII: 72 queries, 18 agents, 72 positives; ')
    expect(stdout).toContain('12 tools; per agent mean 1.33, median 1, 90th percentile 2, most 2')
    expect(stdout).toContain('No model served 6 requests; left out.')
    expect(existsSync(join(out, 'PartIII', 'rankings', 'merge.json'))).toBe(true)
  })
})

test.each([
  { why: 'nothing to do', argv: [], message: /Say what to do/ },
  { why: 'no folder to write', argv: ['build', '--sets', 'a'], message: /--out <folder>/ },
  { why: 'nothing to build from', argv: ['build', '--out', 'a'], message: /--outcomes <file\.\.\.>/ },
])('$why is wrong usage', async ({ argv, message }) => {
  const { code, stderr } = await runCaptured(['recommend', ...argv], scriptedAudition({}))
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
