import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable } from '../../src/domain/text/printable.ts'
import type { EvaluationRun } from '../../src/evaluation/runs/evaluation-run.ts'
import {
  type DetailLevel,
  detailLevels,
  type PackedDetails,
  type PackedList,
} from '../../src/evaluation/report/packed-queries.ts'
import {
  bytesOf,
  fitQueries,
  keptQueries,
  packed,
  type PackedQueries,
  packQueries,
} from '../../src/evaluation/report/pack-queries.ts'
import {
  detailsOf as detailsAt,
  everything as all,
  type QueryDetails,
  unpacked,
  wantedQueries,
} from '../../src/page/report/query-data.ts'
import { madeUpRun, runOf } from '../fakes/evaluation-runs.ts'

const everything = detailLevels[0]!

const packedAt = (
  run: EvaluationRun,
  level: DetailLevel = everything,
  baseline?: EvaluationRun,
): PackedQueries => packQueries(run, keptQueries(run, baseline)(level), level)

const listOf = ({ list }: PackedQueries): Promise<PackedList> => unpacked(list)

async function detailsOf({ details }: PackedQueries): Promise<(at: number) => QueryDetails> {
  const all = await unpacked<PackedDetails>(details)
  return (at) => detailsAt(all, at)
}

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

describe('a run that fits', () => {
  const run = madeUpRun({ queries: 60, seed: 2, words: 20 })
  const baseline = madeUpRun({ queries: 60, seed: 1, words: 20, quality: 0.3 })
  const whole = packedAt(run, everything, baseline)

  test('keeps of every query its text, id, place and measures', async () => {
    const list = await listOf(whole)
    expect(list.texts).toEqual(run.outcomes.map(({ text }) => text))
    expect(list.ids).toEqual(run.outcomes.map(({ id }) => id))
    for (const [at, outcome] of run.outcomes.entries()) {
      expect(whole.facts.parts[list.part[at]!]).toBe(outcome.part)
      expect(whole.facts.groups[list.group[at]!]).toBe(outcome.group)
      expect(list.match[at]).toBe(outcome.match)
      expect(list.tokens[at]).toBe(outcome.tokens)
      expect(list.baseline[at]).toBeCloseTo(baseline.outcomes[at]!.measures['ndcg@10']!, 4)
      for (const [number, measure] of run.measures.entries())
        expect(list.measures[number]![at]).toBeCloseTo(outcome.measures[measure]!, 4)
    }
  })

  test('keeps its ranking with grades, scores, and ranks in the baseline', async () => {
    const details = await detailsOf(whole)
    for (const [at, outcome] of run.outcomes.entries()) {
      const { candidates } = details(at)
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
    const details = await detailsOf(whole)
    for (const [at, outcome] of run.outcomes.entries()) {
      for (const [rank, { signals }] of details(at).candidates.entries()) {
        const given = outcome.candidates[rank]!.signals!
        expect(signals!.coverage).toBe(Math.round(100 * given.coverage))
        expect(signals!.matched).toEqual(given.matched)
        expect(signals!.facets ?? []).toEqual(given.facets)
        expect(signals!.duplicates ?? []).toEqual(given.duplicates)
        expect(signals!.lift).toEqual(given.lift)
        expect(signals!.lexical).toBe(Number(given.lexical!.toPrecision(3)))
        if (given.dense === undefined) expect(signals!.dense).toBeNull()
        else expect(signals!.dense! / 100).toBeCloseTo(given.dense, 1)
        if (given.crossEncoder === undefined) expect(signals!.crossEncoder).toBeNull()
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
    const details = await detailsOf(packedAt(runOf('wordy', [{ ...outcome!, candidates }])))
    for (const [at, { signals }] of details(0).candidates.entries())
      expect(signals!.matched).toEqual(candidates[at]!.signals.matched)
  })

  test('keeps where relevant candidates are, also below those that are shown', async () => {
    const details = await detailsOf(whole)
    for (const [at, outcome] of run.outcomes.entries()) {
      const ranks = outcome.candidates.map(({ id }) => id)
      const given = Object.fromEntries(details(at).relevant.map(({ id, grade }) => [id, grade]))
      expect(given).toEqual(outcome.relevant)
      for (const { id, rank } of details(at).relevant) expect(rank).toBe(ranks.indexOf(id) + 1)
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
    const whole = packedAt(runOf('odd', outcomes))
    const list = await listOf(whole)
    const details = await detailsOf(whole)
    expect(list.texts).toEqual(outcomes.map(({ text }) => text))
    for (const [at, { candidates }] of outcomes.entries()) {
      expect(details(at).candidates.map(({ id }) => id)).toEqual(candidates.map(({ id }) => id))
      for (const { score } of details(at).candidates)
        expect(score === null || Number.isFinite(score)).toBe(true)
    }
  })

  test('any text and id comes back as it can be shown', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }), async (pairs) => {
        const outcomes = pairs.map(([words, id]) => ({ ...outcome!, text: words, id }))
        const list = await listOf(packedAt(runOf('odd', outcomes)))
        expect(list.texts).toEqual(pairs.map(([words]) => printable(words)))
        expect(list.ids).toEqual(pairs.map(([, id]) => printable(id)))
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
      expect(bytesOf(fitted)).toBeLessThanOrEqual(budget)
      return { full: facts.full, letters: facts.letters, queries: facts.queries }
    })
    expect(sizes[0]).toEqual({ full: 200, letters: 4000, queries: 200 })
    expect(sizes.at(-1)!.queries).toBeLessThan(200)
  })

  test('every level keeps no more than the one before', () => {
    const sizes = detailLevels.map((level) => bytesOf(packedAt(run, level)))
    // From the level that keeps the first 100,000 queries of a run on, fewer queries are kept with more of each.
    const shrinking = sizes.slice(0, detailLevels.findIndex(({ queries }) => queries <= 100_000) + 1)
    expect(shrinking).toEqual(shrinking.toSorted((a, b) => b - a))
  })

  test('keeps in full the queries that changed most, of every part', async () => {
    const baseline = madeUpRun({ queries: 200, words: 60, seed: 9 })
    const level: DetailLevel = { ...everything, full: 8, letters: 20 }
    const whole = packedAt(run, level, baseline)
    const list = await listOf(whole)
    const kept = run.outcomes.filter(({ text }, at) => list.texts[at] === text)
    expect(kept).toHaveLength(8)
    expect(new Set(kept.map(({ part }) => part)).size).toBe(4)
    const change = (at: number): number =>
      Math.abs(run.outcomes[at]!.measures['ndcg@10']! - baseline.outcomes[at]!.measures['ndcg@10']!)
    const largest = Math.max(...run.outcomes.map((_, at) => change(at)))
    expect(Math.max(...kept.map((one) => change(run.outcomes.indexOf(one))))).toBe(largest)
  })
})

describe('the filter', () => {
  const ask = (text: string, part: string, value: number, group?: string) => ({
    ...madeUpRun({ queries: 1 }).outcomes[0]!,
    id: text,
    ...{ text, part, measures: { 'ndcg@10': value } },
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
    { why: 'a part', wanted: { part: '0' }, expected: [0, 2] },
    { why: 'a group', wanted: { group: '0' }, expected: [2] },
    { why: 'what the answer said', wanted: { match: 'good' }, expected: [1] },
    { why: 'worse than the baseline', wanted: { change: 'worse' }, expected: [0] },
    { why: 'better than the baseline', wanted: { change: 'better' }, expected: [2] },
    { why: 'the same as the baseline', wanted: { change: 'same' }, expected: [1] },
    { why: 'lowest first', wanted: { order: 'low' }, expected: [0, 2, 1] },
    { why: 'highest first', wanted: { order: 'high' }, expected: [1, 2, 0] },
    { why: 'largest loss first', wanted: { order: 'loss' }, expected: [0, 1, 2] },
    { why: 'largest win first', wanted: { order: 'win' }, expected: [2, 1, 0] },
    { why: 'two filters together', wanted: { part: '0', change: 'better' }, expected: [2] },
  ])('$why', async ({ wanted, expected }) => {
    const list = await listOf(packedAt(run, everything, before))
    expect(wantedQueries(list, { ...all, ...wanted })).toEqual(expected)
  })

  test('queries whose reasons had to be left out are passed over when reasons are wanted', async () => {
    const shortened = runOf('short', madeUpRun({ queries: 40 }).outcomes)
    const list = await listOf(packedAt(shortened, { ...everything, full: 8 }))
    const found = wantedQueries(list, { ...all, reasons: 'kept' })
    expect(found).toHaveLength(8)
    const details = await detailsOf(packedAt(shortened, { ...everything, full: 8 }))
    for (let at = 0; at < 40; at += 1) {
      const explained = details(at).candidates.some(({ signals }) => signals !== undefined)
      expect(found.includes(at)).toBe(explained)
    }
  })

  test('queries without the measure come last in either order', async () => {
    const gap = runOf('gap', [{ ...run.outcomes[0]!, measures: { refusal: 1 } }, ...run.outcomes.slice(1)])
    const list = await listOf(packedAt(gap))
    expect(wantedQueries(list, { ...all, order: 'low' })).toEqual([2, 1, 0])
    expect(wantedQueries(list, { ...all, order: 'high' })).toEqual([1, 2, 0])
  })
})
