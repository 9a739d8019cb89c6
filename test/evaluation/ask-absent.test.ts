import { describe, expect, test } from 'vitest'
import { goldenOf } from '../../evals/golden/golden-run.ts'
import { askAbsent } from '../../src/evaluation/datasets/adjusted.ts'
import { compareRuns, wholeRow } from '../../src/evaluation/runs/compare-runs.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { besideRun, parseGolden } from '../../src/evaluation/baseline.ts'
import { parseRun, runText } from '../../src/evaluation/runs/run-file.ts'
import { smallDataset } from './small-dataset.ts'

const run = async (absent: boolean) => (await evaluate(smallDataset, { absent }, { model: null })).run

describe('queries asked without what serves them', () => {
  test('stand behind the queries as they were, which stay as they are; one that nothing serves stays alone', () => {
    const [part] = askAbsent(smallDataset).parts
    expect(part!.queries.map(({ id }) => id)).toEqual([
      'q0',
      'q1',
      'q1~absent',
      'q2',
      'q2~absent',
      'q3',
      'q3~absent',
    ])
    expect(part!.queries.filter(({ id }) => !id.endsWith('~absent'))).toEqual(smallDataset.parts[0]!.queries)
    expect(part!.queries[4]).toMatchObject({
      text: 'phase moon',
      instruction: 'storm alerts',
      exclude: ['sky/moon', 'sky/alerts'],
    })
    expect(part!.queries[4]!.grades.size).toBe(0)
  })

  test('never find what was left out, and are measured by whether they are refused', async () => {
    const { outcomes, parts, name, settings, measures } = await run(true)
    const absent = outcomes.filter(({ id }) => id.endsWith('~absent'))
    expect(absent.map(({ id, measures: own }) => [id, own])).toEqual([
      ['q1~absent', { 'refused-absent': 1 }],
      ['q2~absent', { 'refused-absent': 1 }],
      ['q3~absent', { 'refused-absent': 0 }], // the labels say moon; the forecast is still there
      ['q4~absent', { 'refused-absent': 1 }],
      ['q5~absent', { 'refused-absent': 1 }],
    ])
    for (const { id, candidates } of absent) {
      const served = outcomes.find((other) => other.id === id.replace('~absent', ''))!.relevant
      expect(candidates.filter((candidate) => candidate.id in served)).toEqual([])
    }
    expect(measures).toEqual(['ndcg@2', 'recall@2', 'answered', 'refusal', 'refused-absent'])
    expect(parts[0]!.estimates.answered).toMatchObject({ mean: 1, queries: 3 })
    expect(parts[0]!.estimates.refusal).toMatchObject({ mean: 1, queries: 1 })
    expect(parts[0]!.estimates['refused-absent']).toMatchObject({ mean: 2 / 3, queries: 3 })
    expect(name).toBe('small lexical own with absent')
    expect(settings.absent).toBe(true)
  })

  test('leave the other measures as they are, and the run can be read again', async () => {
    const [plain, asked] = [await run(false), await run(true)]
    expect(plain.measures).toEqual(['ndcg@2', 'recall@2', 'refusal'])
    for (const measure of ['ndcg@2', 'recall@2']) expect(asked.macro[measure]).toEqual(plain.macro[measure])
    expect(parseRun(runText(asked), 'run.json')).toEqual(asked)
  })

  test('a committed run stands beside such a run with the queries it has', async () => {
    const [plain, asked] = [await run(false), await run(true)]
    const committed = JSON.stringify(goldenOf(plain, 'with outcomes'))
    const before = besideRun(parseGolden(committed, 'golden'), asked, 'golden')
    expect(before.settings).not.toHaveProperty('absent')
    expect(before.measures).toEqual(['ndcg@2', 'recall@2', 'refusal'])
    expect(before.macro['ndcg@2']!.mean).toBeCloseTo(plain.macro['ndcg@2']!.mean, 3)
    const whole = compareRuns(before, asked).rows.filter(({ part }) => part === wholeRow)
    expect(whole.map(({ measure, difference }) => [measure, difference.mean])).toEqual([
      ['ndcg@2', 0],
      ['recall@2', 0],
      ['refusal', 0],
    ])
  })
})
