import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../src/evaluation/runs/compare-runs.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { readGivenRun } from '../../src/evaluation/runs/given-run.ts'
import { parseRun, runText } from '../../src/evaluation/runs/run-file.ts'
import { trecRunOf } from '../../src/evaluation/runs/trec.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { smallDataset } from './small-dataset.ts'

const fileWith = (text: string | Buffer, name = 'theirs.trec'): string => {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, text)
  return file
}
const words = { model: null }
/** q1 right at once, q2 wrong first, q4 by the id of its publisher, the others not asked. */
const theirs = [
  'q1 Q0 sky/alerts 1 2.5 x',
  'q2 Q0 nobody/knows 1 9 x',
  'q2 Q0 sky/moon 2 8 x',
  'q2 Q0 alerts 3 7 x',
  'q4 Q0 read 1 1 x',
  'q4 Q0 print 2 1 x',
].join('\n')

const idsOf = (run: Awaited<ReturnType<typeof evaluate>>['run'], query: string) =>
  run.outcomes.find(({ id }) => id === query)?.candidates.map(({ id }) => id)

describe("another system's run", () => {
  test.each([
    { form: 'plain', file: () => fileWith(theirs) },
    { form: 'packed', file: () => fileWith(gzipSync(theirs), 'theirs.trec.gz') },
  ])(
    'is measured as it is, $form: ids of cards or of their publishers, what is not there counts as 0',
    async ({ file }) => {
      const { run } = await evaluate(smallDataset, { givenRun: await readGivenRun(file()) }, words)
      expect(run.settings).toMatchObject({ ranker: 'given', model: null, depth: 20 })
      expect(run.name).toMatch(/^small theirs\.trec/)
      expect(idsOf(run, 'q2')).toEqual(['nobody/knows', 'sky/moon', 'sky/alerts'])
      // Equal scores stand as trec_eval puts them, by the ids of the file: the higher first.
      expect(idsOf(run, 'q4')).toEqual(['disk/read', 'disk/print'])
      const ndcg = Object.fromEntries(run.outcomes.map(({ id, measures }) => [id, measures['ndcg@2']]))
      expect(ndcg).toMatchObject({ q1: 1, q3: 0, q5: 0 })
      expect(ndcg.q2).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 6)
      expect(run.dataset.notes.join('\n')).toContain('no candidate for 3 queries')
      expect(parseRun(runText(run), 'kept')).toEqual(run)
    },
  )

  test('gives back our own figures when it is our own run', async () => {
    const { run } = await evaluate(smallDataset, { ranker: 'lexical' }, words)
    const file = fileWith([...trecRunOf(run, 'ours')].join(''))
    const again = await evaluate(smallDataset, { givenRun: await readGivenRun(file) }, words)
    const measuresOf = (one: typeof run) =>
      one.outcomes.map(({ id, measures }) => [id, measures['ndcg@2'], measures['recall@2']])
    expect(measuresOf(again.run)).toEqual(measuresOf(run))
    expect(compareRuns(run, again.run)).toMatchObject({ regressions: [], wins: [], unmatched: 0 })
  })

  test('as a first stage: only its candidates are ranked, and keep its order where ours says nothing', async () => {
    const stage = await readGivenRun(
      fileWith(['q1 Q0 sky/moon 1 3 x', 'q1 Q0 sky/forecast 2 2 x', 'q1 Q0 sky/alerts 3 1 x'].join('\n')),
    )
    const { run } = await evaluate(smallDataset, { ranker: 'lexical', firstStage: stage }, words)
    expect(run.settings).toMatchObject({ ranker: 'lexical', firstStage: 'theirs.trec' })
    expect(run.name).toContain('over theirs.trec')
    expect(idsOf(run, 'q1')).toEqual(['sky/alerts', 'sky/moon', 'sky/forecast'])
    expect(idsOf(run, 'q2')).toEqual([])
  })

  test.each([
    { why: 'a line that is wrong', text: 'q1 Q0 a 1 high x', says: /theirs\.trec, line 1: the score "high"/ },
    { why: 'no query of the dataset', text: 'other-1 Q0 a 1 1 x', says: /ids are like "other-1".*like "q0"/ },
  ])('$why is an error that says where', async ({ text, says }) => {
    const run = async () => evaluate(smallDataset, { givenRun: await readGivenRun(fileWith(text)) }, words)
    await expect(run()).rejects.toThrow(says)
  })

  test('a file that is not there is told', async () => {
    await expect(readGivenRun('/nowhere/run.trec')).rejects.toThrow('/nowhere/run.trec: cannot be read')
  })
})

test('a diverse answer is asked for as many candidates as the measures look at, so that caps act', async () => {
  const at = async (k: number) =>
    (await evaluate(smallDataset, { ranker: 'lexical', pack: 'diverse', k }, words)).run.settings.depth
  expect([await at(1), await at(5), await at(50)]).toEqual([1, 5, 50])
  const { run } = await evaluate(smallDataset, { ranker: 'lexical', k: 5 }, words)
  expect(run.settings.depth).toBe(20)
})

test('a comparison tells by part how many queries only one run has', async () => {
  const whole = await evaluate(smallDataset, { ranker: 'lexical' }, words)
  const without = {
    ...smallDataset,
    parts: smallDataset.parts.map((part) => ({
      ...part,
      queries: part.queries.filter(({ id }) => id !== 'q1'),
    })),
  }
  const fewer = await evaluate(without, { ranker: 'lexical' }, words)
  expect(compareRuns(whole.run, fewer.run)).toMatchObject({
    unmatched: 1,
    unmatchedByPart: [{ part: 'sky', baseline: 1, candidate: 0 }],
  })
})
