import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecommendReport } from '../../src/compose/parts/recommender.ts'
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
      'build',
      '--outcomes',
      join(sources, 'outcomes.jsonl'),
      '--sets',
      join(sources, 'sets'),
      '--out',
      out,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('PartI: 66 queries, 3 agents, ')
    expect(stdout).toContain('PartII: 72 queries, 18 agents, 72 positives; ')
    expect(stdout).toContain('12 tools; per agent mean 1.33, median 1, 90th percentile 2, most 2')
    expect(stdout).toContain('No model served 6 requests; left out.')
    expect(existsSync(join(out, 'PartIII', 'rankings', 'merge.json'))).toBe(true)
  })

  test('trains on it, refuses to write over that, and measures what was held out', async () => {
    const [data, recommender] = [join(home, 'requests'), join(home, 'recommender')]
    const line = ['train', '--data', data, '--out', recommender, '--epochs', '4']
    const trained = await run(...line)
    expect(trained.code, trained.stderr).toBe(0)
    expect(trained.stdout).toMatch(/Trained on \d+ requests; \d+ are held out\. The fusion has \d+ trees?\./)
    expect((await run(...line)).stderr).toContain('is there already')

    const told = await run('evaluate', '--data', data, '--recommender', recommender, '--ablation', '--json')
    expect(told.code, told.stderr).toBe(0)
    const report: RecommendReport = JSON.parse(told.stdout)
    expect(report.rows.map(({ name }) => name)).toEqual([
      'words',
      'learned',
      'knn',
      'mf',
      'lightfm',
      'dnn',
      'lightgcn',
      'ngcf',
      'kgat',
      'simgcl',
      'onerec',
      'tower',
      'fusion',
    ])
    expect(report.ablation).toHaveLength(7)
    for (const { groups } of [...report.rows, ...report.longTail, ...report.ablation])
      for (const { measures } of groups)
        for (const { mean, low, high } of Object.values(measures)) {
          expect(low).toBeLessThanOrEqual(mean + 1e-9)
          expect(high).toBeGreaterThanOrEqual(mean - 1e-9)
        }
    const ndcg = (name: string, part: string) =>
      report.rows.find((row) => row.name === name)!.groups.find(({ group }) => group === part)!.measures[
        'ndcg@10'
      ]!.mean
    // Their topics and what is asked of them are the words of their tools' descriptions.
    expect(ndcg('tower', 'PartII')).toBeGreaterThan(0.5)

    const tables = await run(
      'evaluate',
      '--data',
      data,
      '--recommender',
      recommender,
      '--row',
      'knn',
      'tower',
      '--limit',
      '3',
    )
    expect(tables.stdout).toContain('PartII, 3 requests:')
    expect(tables.stdout).toContain('| row | P@10 | Recall@10 | F1@10 | nDCG@10 | MRR@10 |')
    const unknown = await run('evaluate', '--data', data, '--recommender', recommender, '--row', 'magic')
    expect(unknown.stderr).toContain('No row "magic"')
  })
})

test.each([
  { why: 'nothing to do', argv: [], message: /Say what to do/ },
  { why: 'no folder to write', argv: ['build', '--sets', 'a'], message: /--out <folder>/ },
  { why: 'nothing to train on', argv: ['train', '--out', 'a'], message: /--data <folder>/ },
  { why: 'no recommender', argv: ['evaluate', '--data', 'a'], message: /--recommender <folder>/ },
  { why: 'nothing to build from', argv: ['build', '--out', 'a'], message: /--outcomes <file\.\.\.>/ },
])('$why is wrong usage', async ({ argv, message }) => {
  const { code, stderr } = await runCaptured(['recommend', ...argv], scriptedAudition({}))
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
