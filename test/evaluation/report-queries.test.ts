import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable } from '../../src/domain/text/printable.ts'
import type { EvaluationRun } from '../../src/evaluation/evaluation-run.ts'
import { type PackedColumn, fromColumn, toColumn } from '../../src/evaluation/report/columns.ts'
import {
  type DetailLevel,
  detailLevels,
  fitQueries,
  mostTelling,
  packed,
  type PackedQueries,
  packQueries,
} from '../../src/evaluation/report/pack-queries.ts'
import type { ReportQuery } from '../../src/evaluation/report/report-queries.ts'
import { unpacked } from '../../src/page/report/unpacked.ts'
import { isExplained, wantedQueries } from '../../src/page/report/wanted-queries.ts'
import { madeUpRun, runOf } from '../fakes/evaluation-runs.ts'

const everything = detailLevels[0]!

const packedAt = (
  run: EvaluationRun,
  level: DetailLevel = everything,
  baseline?: EvaluationRun,
): PackedQueries => packQueries(mostTelling(run, baseline), level)

const queriesOf = async ({ packed: letters }: PackedQueries): Promise<readonly ReportQuery[]> =>
  fromColumn(await unpacked<PackedColumn>(letters)) as readonly ReportQuery[]

test('what the packer writes, the page reads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())),
      async (all) => {
        expect(await unpacked(packed(all))).toEqual(all)
      },
    ),
  )
})

test('plain data comes back from columns as it was', () => {
  const leaf = fc.oneof(fc.constantFrom('a', 'b'), fc.string(), fc.integer(), fc.constant(null))
  const record = fc.record(
    {
      name: leaf,
      list: fc.array(fc.oneof(leaf, fc.array(leaf))),
      more: fc.record({ of: leaf, at: fc.nat() }),
    },
    { requiredKeys: ['name'] },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: record }, leaf, fc.constant(undefined))), (all) => {
      expect(fromColumn(JSON.parse(JSON.stringify(toColumn(all))))).toEqual(all)
    }),
  )
})

describe('a run that fits', () => {
  const run = madeUpRun({ queries: 60, seed: 2, words: 20 })
  const baseline = madeUpRun({ queries: 60, seed: 1, words: 20, quality: 0.3 })
  const whole = packedAt(run, everything, baseline)

  test('keeps of every query its text, id, place and measures', async () => {
    const queries = await queriesOf(whole)
    expect(queries).toHaveLength(run.outcomes.length)
    for (const [at, outcome] of run.outcomes.entries()) {
      const { id, part, text, group, match, tokens } = outcome
      expect(queries[at]).toMatchObject({ id, part, text, group, match, tokens })
      expect(queries[at]!.change).toBeCloseTo(
        outcome.measures['ndcg@10']! - baseline.outcomes[at]!.measures['ndcg@10']!,
        4,
      )
      for (const measure of run.measures)
        expect(queries[at]!.measures[measure]).toBeCloseTo(outcome.measures[measure]!, 4)
    }
  })

  test('keeps its ranking with grades, scores, and ranks in the baseline', async () => {
    for (const [at, { candidates }] of (await queriesOf(whole)).entries()) {
      const outcome = run.outcomes[at]!
      const before = baseline.outcomes[at]!.candidates.map(({ id }) => id)
      expect(candidates.map(({ id }) => id)).toEqual(outcome.candidates.map(({ id }) => id))
      expect(candidates.map(({ grade }) => grade)).toEqual(
        outcome.candidates.map(({ id }) => outcome.relevant[id] ?? 0),
      )
      expect(candidates.map((one) => one.before)).toEqual(
        outcome.candidates.map(({ id }) => before.indexOf(id) + 1),
      )
      for (const [rank, { score }] of candidates.entries())
        expect(score).toBe(Number(outcome.candidates[rank]!.score.toPrecision(3)))
    }
  })

  test('keeps why each candidate is there', async () => {
    for (const [at, { candidates }] of (await queriesOf(whole)).entries()) {
      for (const [rank, { signals }] of candidates.entries()) {
        const given = run.outcomes[at]!.candidates[rank]!.signals!
        expect(signals!.coverage).toBe(Number(given.coverage.toFixed(2)))
        expect(signals!.matched).toEqual(given.matched)
        expect(signals!.facets).toEqual(given.facets)
        expect(signals!.duplicates).toEqual(given.duplicates)
        expect(signals!.lift).toEqual(given.lift)
        expect(signals!.lexical).toBe(Number(given.lexical!.toPrecision(3)))
        if (given.dense === undefined) expect(signals!.dense).toBeUndefined()
        else expect(signals!.dense).toBeCloseTo(given.dense, 1)
        if (given.crossEncoder === undefined) expect(signals!.crossEncoder).toBeUndefined()
        else expect(signals!.crossEncoder).toBeCloseTo(given.crossEncoder, 2)
      }
    }
  })

  test('keeps every word that a candidate matched, however many its query has', async () => {
    const [outcome] = run.outcomes
    const candidates = outcome!.candidates.map((candidate, at) => ({
      ...candidate,
      signals: { ...candidate.signals!, matched: Array.from({ length: 8 }, (_, place) => `w${place}-${at}`) },
    }))
    const [query] = await queriesOf(packedAt(runOf('wordy', [{ ...outcome!, candidates }])))
    for (const [at, { signals }] of query!.candidates.entries())
      expect(signals!.matched).toEqual(candidates[at]!.signals.matched)
  })

  test('keeps where relevant candidates are, also below those that are shown', async () => {
    for (const [at, { relevant }] of (await queriesOf(whole)).entries()) {
      const outcome = run.outcomes[at]!
      const ranks = outcome.candidates.map(({ id }) => id)
      expect(Object.fromEntries(relevant.map(({ id, grade }) => [id, grade]))).toEqual(outcome.relevant)
      for (const { id, rank } of relevant) expect(rank).toBe(ranks.indexOf(id) + 1)
    }
  })

  test('is packed to the same bytes twice', () => {
    expect(packedAt(run, everything, baseline)).toEqual(whole)
  })
})

describe('odd runs', () => {
  const [outcome] = madeUpRun({ queries: 1 }).outcomes
  test.each([
    { why: 'no query', outcomes: [] },
    { why: 'nothing found', outcomes: [{ ...outcome!, candidates: [] }] },
    {
      why: 'nothing relevant and only a refusal measured',
      outcomes: [{ ...outcome!, relevant: {}, measures: { refusal: 1 } }],
    },
    { why: 'candidates without signals', outcomes: madeUpRun({ queries: 3, signals: 'without' }).outcomes },
    {
      why: 'one score for all',
      outcomes: [
        {
          ...outcome!,
          candidates: [
            { id: 'a', score: 3 },
            { id: 'b', score: 3 },
          ],
        },
      ],
    },
    {
      why: 'a score without end',
      outcomes: [
        {
          ...outcome!,
          candidates: [
            { id: 'a', score: 3 },
            { id: 'b', score: Number.NEGATIVE_INFINITY },
          ],
        },
      ],
    },
  ])('are read again: $why', async ({ outcomes }) => {
    const queries = await queriesOf(packedAt(runOf('odd', outcomes)))
    expect(queries.map(({ text }) => text)).toEqual(outcomes.map(({ text }) => text))
    for (const [at, { candidates }] of outcomes.entries()) {
      expect(queries[at]!.candidates.map(({ id }) => id)).toEqual(candidates.map(({ id }) => id))
      for (const { score } of queries[at]!.candidates)
        expect(score === undefined || Number.isFinite(score)).toBe(true)
    }
  })

  test('any text and id comes back as it can be shown', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }), async (pairs) => {
        const outcomes = pairs.map(([words, id]) => ({ ...outcome!, text: words, id }))
        const queries = await queriesOf(packedAt(runOf('odd', outcomes)))
        expect(queries.map(({ text, id }) => [text, id])).toEqual(
          pairs.map(([words, id]) => [printable(words), printable(id)]),
        )
      }),
      { numRuns: 50 },
    )
  })
})

describe('a run that does not fit', () => {
  const run = madeUpRun({ queries: 200, words: 60 })

  test('loses detail until it does, and never goes over', () => {
    const sizes = [200_000, 30_000, 20_000, 14_000].map((budget) => {
      const fitted = fitQueries(run, undefined, budget)
      const { facts } = fitted
      expect(fitted.packed.length).toBeLessThanOrEqual(budget)
      return { full: facts.full, letters: facts.letters, queries: facts.queries }
    })
    expect(sizes[0]).toEqual({ full: 200, letters: 4000, queries: 200 })
    expect(sizes.at(-1)!.queries).toBeLessThan(200)
  })

  test('every level keeps no more than the one before', () => {
    const sizes = detailLevels.map((level) => packedAt(run, level).packed.length)
    // From the level that keeps the first 100,000 queries of a run on, fewer queries are kept with more of each.
    const shrinking = sizes.slice(0, detailLevels.findIndex(({ queries }) => queries <= 100_000) + 1)
    expect(shrinking).toEqual(shrinking.toSorted((a, b) => b - a))
  })

  test('keeps in full the queries that changed most, of every part', async () => {
    const baseline = madeUpRun({ queries: 200, words: 60, seed: 9 })
    const level: DetailLevel = { ...everything, full: 8, letters: 20 }
    const whole = packedAt(run, level, baseline)
    const queries = await queriesOf(whole)
    const kept = run.outcomes.filter(({ text }, at) => queries[at]!.text === text)
    expect(kept).toHaveLength(8)
    expect(new Set(kept.map(({ part }) => part)).size).toBe(4)
    const change = (at: number): number =>
      Math.abs(run.outcomes[at]!.measures['ndcg@10']! - baseline.outcomes[at]!.measures['ndcg@10']!)
    const largest = Math.max(...run.outcomes.map((_, at) => change(at)))
    expect(Math.max(...kept.map((one) => change(run.outcomes.indexOf(one))))).toBe(largest)
  })
})

describe('the filter', () => {
  /** Places in the run of the queries that are found. */
  const found = async (whole: PackedQueries, wanted: { [name: string]: string }) => {
    const queries = await queriesOf(whole)
    return wantedQueries(queries, wanted, 'ndcg@10').map((query) => queries.indexOf(query))
  }
  const ask = (text: string, part: string, value: number, group?: string) => ({
    ...madeUpRun({ queries: 1 }).outcomes[0]!,
    id: text,
    text,
    part,
    measures: { 'ndcg@10': value },
    ...(group === undefined ? { group: 'single' } : { group }),
    match: value > 0.5 ? ('good' as const) : ('none' as const),
  })
  const run = runOf('now', [
    ask('Book a table', 'food', 0.2),
    ask('table of contents', 'text', 0.9),
    ask('weather in Łódź', 'food', 0.5, 'multi-step'),
  ])
  const before = runOf('before', [
    ask('Book a table', 'food', 0.6),
    ask('table of contents', 'text', 0.9),
    ask('weather in Łódź', 'food', 0.1, 'multi-step'),
  ])
  test.each([
    { why: 'nothing asked', wanted: {}, expected: [0, 1, 2] },
    { why: 'a word, whatever its case', wanted: { text: 'TABLE' }, expected: [0, 1] },
    { why: 'every word has to be there', wanted: { text: 'contents table' }, expected: [1] },
    { why: 'letters of other alphabets', wanted: { text: 'łódź' }, expected: [2] },
    { why: 'a part', wanted: { part: 'food' }, expected: [0, 2] },
    { why: 'a group', wanted: { group: 'multi-step' }, expected: [2] },
    { why: 'what the answer said', wanted: { match: 'fits well' }, expected: [1] },
    { why: 'worse than the baseline', wanted: { change: 'worse' }, expected: [0] },
    { why: 'better than the baseline', wanted: { change: 'better' }, expected: [2] },
    { why: 'the same as the baseline', wanted: { change: 'same' }, expected: [1] },
    { why: 'lowest first', wanted: { order: 'low' }, expected: [0, 2, 1] },
    { why: 'highest first', wanted: { order: 'high' }, expected: [1, 2, 0] },
    { why: 'largest loss first', wanted: { order: 'loss' }, expected: [0, 1, 2] },
    { why: 'largest win first', wanted: { order: 'win' }, expected: [2, 1, 0] },
    { why: 'two filters together', wanted: { part: 'food', change: 'better' }, expected: [2] },
  ])('$why', async ({ wanted, expected }) => {
    expect(await found(packedAt(run, everything, before), wanted)).toEqual(expected)
  })

  test('queries whose reasons had to be left out are passed over when reasons are wanted', async () => {
    const shortened = runOf('short', madeUpRun({ queries: 40 }).outcomes)
    const packedShort = packedAt(shortened, { ...everything, full: 8 })
    const kept = await found(packedShort, { reasons: 'kept here' })
    expect(kept).toHaveLength(8)
    const explained = [...(await queriesOf(packedShort)).entries()].filter(([, query]) => isExplained(query))
    expect(kept).toEqual(explained.map(([at]) => at))
  })

  test('queries without the measure come last in either order', async () => {
    const gap = runOf('gap', [{ ...run.outcomes[0]!, measures: { refusal: 1 } }, ...run.outcomes.slice(1)])
    expect(await found(packedAt(gap), { order: 'low' })).toEqual([2, 1, 0])
    expect(await found(packedAt(gap), { order: 'high' })).toEqual([1, 2, 0])
  })
})
