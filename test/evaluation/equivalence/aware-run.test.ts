import { describe, expect, test } from 'vitest'
import { compareRuns, DifferentViewsError } from '../../../src/evaluation/runs/compare-runs.ts'
import type { Dataset } from '../../../src/evaluation/datasets/dataset.ts'
import { evaluate } from '../../../src/evaluation/evaluate.ts'
import type { EvaluationSettings } from '../../../src/evaluation/evaluation-settings.ts'
import { besideRun, parseGolden } from '../../../src/evaluation/baseline.ts'
import { parseRun, runText } from '../../../src/evaluation/runs/run-file.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { judged, smallDataset } from '../small-dataset.ts'

const forecast = { name: 'forecast', description: 'Weather forecast of a city' }

/** Two sets with a tool of the same text; `sky` wants its own, and equal scores put `sky/…` first or last by its id. */
const twins: Dataset = {
  name: 'twins',
  origin: 'made for tests',
  headline: ['ndcg@1', 'recall@1', 'completeness@1'],
  notes: [],
  parts: [
    {
      name: 'air',
      kind: 'tool',
      cards: [toolCard('air/forecast', forecast), toolCard('air/radar')],
      queries: [judged('q1', 'weather forecast city', { 'air/forecast': 1 })],
    },
    {
      name: 'sky',
      kind: 'tool',
      cards: [toolCard('sky/forecast', forecast), toolCard('sky/moon')],
      queries: [judged('q2', 'weather forecast city', { 'sky/forecast': 1 })],
    },
  ],
}
const run = async (settings: EvaluationSettings, dataset = twins) =>
  (await evaluate(dataset, settings, { model: null })).run

describe('a run that credits copies', () => {
  test('joined, the copy from another set counts as what was wanted; strictly it is wrong', async () => {
    const strict = await run({ corpus: 'joined' })
    expect(strict.outcomes.map(({ measures }) => measures['ndcg@1'])).toEqual([0, 1])
    const aware = await run({ corpus: 'joined', equivalence: 'aware' })
    expect(aware.outcomes.map(({ measures }) => measures['ndcg@1'])).toEqual([1, 1])
    expect(aware.outcomes.map(({ candidates }) => candidates)).toEqual(
      strict.outcomes.map(({ candidates }) => candidates),
    )
  })

  test('says so in its settings, its name, its notes and query by query', async () => {
    const aware = await run({ corpus: 'joined', equivalence: 'aware' })
    expect(aware.settings.equivalence).toBe('aware')
    expect(aware.name).toBe('twins lexical joined equivalence-aware')
    expect(aware.dataset.notes).toEqual([expect.stringContaining('They did in 1 query.')])
    expect(aware.outcomes.map(({ relevant, standIns }) => ({ relevant, standIns }))).toEqual([
      { relevant: { 'sky/forecast': 1 }, standIns: { 'sky/forecast': 'air/forecast' } },
      { relevant: { 'sky/forecast': 1 }, standIns: undefined },
    ])
    expect(parseRun(runText(aware), 'run.json')).toEqual(aware)
  })

  test('by own corpora, and where nothing has a copy, it has the figures of a strict one', async () => {
    for (const [dataset, corpus] of [
      [twins, 'own'],
      [smallDataset, 'joined'],
    ] as const) {
      const [strict, aware] = [
        await run({ corpus }, dataset),
        await run({ corpus, equivalence: 'aware' }, dataset),
      ]
      expect(aware.outcomes).toEqual(strict.outcomes)
      expect(aware.macro).toEqual(strict.macro)
    }
  })

  test("goes by the dataset's own classes where it has them", async () => {
    const byKey = { describes: 'cards of one key', classOf: ({ id }: { id: string }) => id.split('/')[0]! }
    const aware = await run(
      { equivalence: 'aware' },
      {
        ...twins,
        equivalence: byKey,
        parts: [{ ...twins.parts[0]!, queries: [judged('q', 'forecast', { 'air/radar': 1 })] }],
      },
    )
    expect(aware.outcomes[0]!.standIns).toEqual({ 'air/forecast': 'air/radar' })
    expect(aware.dataset.notes[0]).toContain('cards of one key')
  })

  test("in the user's index too", async () => {
    const cards = twins.parts.flatMap((part) => part.cards)
    const bare = { ...twins, parts: [{ ...twins.parts[0]!, cards: [] }] }
    const { run: aware } = await evaluate(
      bare,
      { equivalence: 'aware' },
      { model: null, index: await memorySnapshot(cards) },
    )
    expect(aware.settings.corpus).toBe('index')
    expect(aware.macro['ndcg@1']!.mean).toBe(1)
  })
})

describe('strict figures and those that credit copies', () => {
  test('are never set side by side, either way round', async () => {
    const strict = await run({ corpus: 'joined' })
    const aware = await run({ corpus: 'joined', equivalence: 'aware' })
    expect(() => compareRuns(strict, aware)).toThrow(DifferentViewsError)
    expect(() => compareRuns(aware, strict)).toThrow(
      'Run "twins lexical joined equivalence-aware" is judged with equivalence "aware", "twins lexical joined" with "strict": their figures do not compare.',
    )
    expect(compareRuns(aware, aware).unmatched).toBe(0)
  })

  test('a run kept before there was a choice is strict', async () => {
    const strict = await run({})
    const older = runText(strict).replace('"equivalence":"strict",', '')
    expect(older).not.toContain('equivalence')
    expect(parseRun(older, 'run.json')).toEqual(strict)
  })

  test('a committed run without the setting is strict', async () => {
    const aware = await run({ corpus: 'joined', equivalence: 'aware' })
    const golden = parseGolden(
      JSON.stringify({ format: 'audition-golden/1', dataset: aware.dataset, outcomes: [] }),
      'golden.json',
    )
    expect(besideRun(golden, aware, 'golden.json').settings.equivalence).toBe('strict')
  })
})
