import { describe, expect, test } from 'vitest'
import { gateReport } from '../../evals/golden/gate-report.ts'
import { type GoldenRun, goldenOf, heldAgainst, writeGolden } from '../../evals/golden/golden-run.ts'
import { sampled } from '../../evals/golden/golden-runs.ts'
import type { Dataset } from '../../src/evaluation/datasets/dataset.ts'
import type { EvaluationRun, QueryOutcome } from '../../src/evaluation/evaluation-run.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'

type Asked = { readonly ndcg: number; readonly match?: QueryOutcome['match'] } | { readonly refused: boolean }

/** A run of one part, `tools`, with these outcomes. */
function runWith(asked: readonly Asked[]): EvaluationRun {
  const outcomes = asked.map((query, at): QueryOutcome => {
    const served = 'ndcg' in query
    return {
      id: `q${at}`,
      part: 'tools',
      text: `secret wording ${at}`,
      candidates: [{ id: 'catalog/first', score: 1 }],
      relevant: served ? { 'catalog/right': 2 } : {},
      measures: served ? { 'ndcg@10': query.ndcg } : { refusal: query.refused ? 1 : 0 },
      match: served ? (query.match ?? 'good') : query.refused ? 'none' : 'good',
      tokens: 0,
    }
  })
  const of = (measure: string) => outcomes.flatMap(({ measures }) => measures[measure] ?? [])
  const estimates = {
    'ndcg@10': bootstrapMean(of('ndcg@10')),
    ...(of('refusal').length === 0 ? {} : { refusal: bootstrapMean(of('refusal')) }),
  }
  return {
    format: 'audition-run/1',
    name: 'made up',
    dataset: { name: 'made-up', origin: 'this test', notes: [] },
    settings: {
      ranker: 'lexical',
      model: null,
      corpus: 'own',
      instruction: 'without',
      pack: 'ranking',
      equivalence: 'strict',
      depth: 20,
    },
    measures: Object.keys(estimates),
    parts: [{ name: 'tools', estimates }],
    categories: {},
    macro: estimates,
    micro: estimates,
    outcomes,
  }
}

const mixed = Array.from({ length: 40 }, (_, at) => ({ ndcg: at % 2 }))
const fallen = (golden: readonly Asked[], now: readonly Asked[]) =>
  heldAgainst(goldenOf(runWith(golden), 'with outcomes'), runWith(now))
    .filter(({ fell, part }) => fell !== 'no' && part === 'tools')
    .map(({ measure, fell }) => `${measure} by ${fell}`)

describe('a run held against a golden run', () => {
  test.each<{ why: string; golden: readonly Asked[]; now: readonly Asked[]; fell: readonly string[] }>([
    { why: 'nothing changed', golden: mixed, now: mixed, fell: [] },
    { why: 'all is better', golden: mixed, now: mixed.map(() => ({ ndcg: 1 })), fell: [] },
    {
      why: 'a few queries lost and as many won',
      golden: mixed,
      now: mixed.map(({ ndcg }, at) => ({ ndcg: at < 8 ? 1 - ndcg : ndcg })),
      fell: [],
    },
    {
      why: 'a few queries lost and none won, though that is within the interval',
      golden: mixed,
      now: mixed.map(({ ndcg }, at) => ({ ndcg: at < 8 ? 0 : ndcg })),
      fell: ['ndcg@10 by paired'],
    },
    {
      why: 'one query lost',
      golden: mixed,
      now: mixed.map(({ ndcg }, at) => ({ ndcg: at < 2 ? 0 : ndcg })),
      fell: [],
    },
    {
      why: 'every query lost a little, less than a point',
      golden: mixed.map(() => ({ ndcg: 0.5 })),
      now: mixed.map(() => ({ ndcg: 0.495 })),
      fell: [],
    },
    {
      why: 'many queries lost',
      golden: mixed,
      now: mixed.map(({ ndcg }, at) => ({ ndcg: at < 16 ? 0 : ndcg })),
      fell: ['ndcg@10 by interval'],
    },
    {
      why: 'a perfect figure lost one query, which is allowed',
      golden: mixed.map(() => ({ ndcg: 1 })),
      now: mixed.map((_, at) => ({ ndcg: at === 0 ? 0 : 1 })),
      fell: [],
    },
    {
      why: 'a perfect figure lost two',
      golden: mixed.map(() => ({ ndcg: 1 })),
      now: mixed.map((_, at) => ({ ndcg: at < 2 ? 0 : 1 })),
      fell: ['ndcg@10 by interval'],
    },
    {
      why: 'everything is refused, though the ranking is the same',
      golden: mixed,
      now: mixed.map((query) => ({ ...query, match: 'none' as const })),
      fell: ['answered by interval'],
    },
    {
      why: 'nothing is refused any more',
      golden: [...mixed, ...mixed.map(() => ({ refused: true }))],
      now: [...mixed, ...mixed.map(() => ({ refused: false }))],
      fell: ['refusal by interval'],
    },
  ])('falls in $fell when $why', ({ golden, now, fell }) => {
    expect(fallen(golden, now)).toEqual(fell)
  })

  test('refuses to compare runs that asked different queries, and says what to run', () => {
    expect(() => fallen(mixed, mixed.slice(1))).toThrow(/asked other queries .*npm run golden/)
  })

  test('the report names each figure, what was allowed, and the queries that lost most', () => {
    const golden = goldenOf(runWith(mixed), 'with outcomes')
    const run = runWith(mixed.map(({ ndcg }, at) => ({ ndcg: at === 39 ? 0.25 : at < 20 ? 0 : ndcg })))
    const lines = gateReport(golden, run, heldAgainst(golden, run)).split('\n')
    expect(lines[1]).toMatch(/^part +measure +golden +now +difference +allowed$/)
    expect(lines).toContainEqual(
      expect.stringMatching(/^tools +ndcg@10 +50\.0 +23\.1 +-26\.9 +-1\d\.\d +FELL \(interval\)$/),
    )
    expect(lines).toContain('11 queries have a lower ndcg@10; the largest losses:')
    expect(lines.at(-1)).toBe('  q9 100.0 -> 0.0, first now catalog/first: secret wording 9')
    expect(lines).toHaveLength(2 + 4 + 1 + 10)
  })
})

describe('a golden file', () => {
  test.each(['with outcomes', 'figures alone'] as const)('is read back as it was written, %s', (keeps) => {
    const golden = goldenOf(runWith([...mixed, { refused: true }]), keeps)
    expect(JSON.parse(writeGolden(golden))).toEqual(golden)
    expect(writeGolden(JSON.parse(writeGolden(golden)) as GoldenRun)).toBe(writeGolden(golden))
  })

  test('keeps no text and no id where only figures may be kept', () => {
    const text = writeGolden(goldenOf(runWith(mixed), 'figures alone'))
    expect(text).not.toMatch(/secret wording|q0|catalog\//)
    expect(text).toContain('"ndcg@10"')
  })
})

test('a sample keeps small parts whole and takes even distances of large ones', () => {
  const part = (name: string, queries: number) => ({
    name,
    kind: 'tool' as const,
    cards: [],
    queries: Array.from({ length: queries }, (_, at) => ({
      id: `${name}${at}`,
      text: '',
      grades: new Map(),
    })),
  })
  const dataset: Dataset = {
    name: 'two',
    origin: '',
    headline: [],
    notes: [],
    parts: [part('a', 3), part('b', 10)],
  }
  const { parts, notes } = sampled(dataset, 4)
  expect(parts.map(({ queries }) => queries.map(({ id }) => id))).toEqual([
    ['a0', 'a1', 'a2'],
    ['b0', 'b2', 'b5', 'b7'],
  ])
  expect(notes).toHaveLength(1)
})
