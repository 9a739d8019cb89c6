import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  measureProbeLift,
  type ProbeLiftOptions,
  type ProbeLiftProgress,
  type VariantProber,
} from '../../../bench/probe-lift/measure-probe-lift.ts'
import type { ProbeLiftReport } from '../../../bench/probe-lift/report.ts'
import { readVariants } from '../../../bench/probe-lift/variants/variants.ts'
import { answerKeys } from '../../../catalog/answer-keys/answer-keys.ts'
import { referenceJudge } from '../../../src/probing/judges/reference-judge.ts'
import { probeBySource } from '../../../bench/probe-lift/probe-by-source.ts'
import { tasksOfCard } from '../../../src/probing/writing/tasks-of-card.ts'
import { executorOf, harvester } from './in-process.ts'

const root = resolve(import.meta.dirname, '../../..')
const variants = readVariants(join(root, 'bench', 'probe-lift', 'variants', 'variants.tsv'))

const prober: VariantProber = (cards, count, how) => {
  let id = 0
  return probeBySource(
    cards,
    count,
    {
      openExecutor: () => ({ executor: executorOf(variants), close: async () => {} }),
      tasksOf: (card, count) => tasksOfCard(card, count, { answers: answerKeys }),
      judge: referenceJudge(),
      allow: { missing: () => [], changed: () => [] },
      now: () => new Date('2026-01-01T00:00:00Z'),
      newId: () => `outcome-${++id}`,
    },
    how,
  )
}

const measure = (options: ProbeLiftOptions, by: VariantProber = prober) =>
  measureProbeLift({ root, harvester, prober: by, model: null }, options)

describe('a short run over the calendar, by words alone', () => {
  let report: ProbeLiftReport
  const progress: ProbeLiftProgress[] = []
  beforeAll(async () => {
    report = await measure({
      servers: ['calendar'],
      probes: [1, 3],
      onProgress: (one) => progress.push(one),
    })
  })

  test('three probes lift nDCG@5, by more than chance', () => {
    const [alone, one, three] = report.conditions
    expect(report.conditions.map(({ probes }) => probes)).toEqual([0, 1, 3])
    expect(alone?.rise).toBeNull()
    expect(three!.ndcg.mean).toBeGreaterThanOrEqual(one!.ndcg.mean - 0.05)
    expect(three!.rise!.estimate.mean).toBeGreaterThan(0.08)
    expect(three!.rise!.estimate.low).toBeGreaterThan(0)
    expect(three!.rise!.p).toBeLessThan(0.05)
  })

  test('no sound variant of the right tool falls, where all or half of the candidates are probed', () => {
    expect(report.conditions[2]!.sound!.fell).toBe(0)
    expect(report.mixed.soundProbed.fell).toBe(0)
    expect(report.mixed.soundProbed.compared).toBeGreaterThan(0)
    expect(report.mixed.probed + report.mixed.unprobed).toBe(report.catalog.probed)
    expect(Math.abs(report.mixed.probed - report.mixed.unprobed)).toBeLessThanOrEqual(1)
  })

  test('probes fail no sound and no slow variant, and most of those that answer wrongly', () => {
    const found = new Map(report.findings.map((finding) => [finding.fault, finding]))
    const share = (fault: string) => found.get(fault)!.found.at(-1)!.variants / found.get(fault)!.variants
    expect(report.findings[0]!.fault).toBe('sound')
    expect([share('sound'), share('slow')]).toEqual([0, 0])
    for (const fault of ['refusing', 'empty', 'off-by-one', 'stale'])
      expect(share(fault)).toBeGreaterThan(0.8)
  })

  test('costs what it ran: every candidate as often as asked', () => {
    const { conditions, catalog, cost } = report
    expect(conditions.map(({ executions }) => executions)).toEqual([0, catalog.probed, 3 * catalog.probed])
    expect(cost.probes).toBe(3 * catalog.probed)
    expect(report.mixed.executions).toBe(3 * report.mixed.probed)
  })

  test('tells how far it is', () => {
    expect([...new Set(progress.map(({ step }) => step))]).toEqual(['servers', 'searches', 'probes'])
    expect(progress.filter(({ step }) => step === 'probes').at(-1)).toEqual({
      step: 'probes',
      done: report.cost.probes,
      total: report.cost.probes,
    })
  })

  test('a record that weighs nothing lifts nothing', async () => {
    const { conditions, recordWeight } = await measure({
      servers: ['calendar'],
      probes: [3],
      recordWeight: 0,
    })
    expect(recordWeight).toBe(0)
    expect(conditions[1]!.ndcg).toEqual(conditions[0]!.ndcg)
  })

  test('gives the same figures again', async () => {
    const again = await measure({ servers: ['calendar'], probes: [1, 3] })
    const { cost: _, ...figures } = again
    const { cost: __, ...before } = report
    expect(figures).toEqual(before)
  })
})

describe('what ends a run', () => {
  test('a stop is passed on, and ends the probes', async () => {
    const stop = new AbortController()
    const running = measure({
      servers: ['calendar'],
      signal: stop.signal,
      onProgress: ({ step, done }) => {
        if (step === 'probes' && done === 3) stop.abort(new Error('enough'))
      },
    })
    await expect(running).rejects.toThrow('enough')
  })

  test('a server that nobody asks about', async () => {
    await expect(measure({ servers: ['weather'] })).rejects.toThrow('No query is about weather.')
  })

  test('a probe that asks what a query asks', async () => {
    const leaking: VariantProber = async (cards) => ({
      outcomes: new Map(cards.map(({ id }) => [id, []])),
      tasks: ['Is 2028 a leap year'],
      seconds: 0,
    })
    await expect(measure({ servers: ['calendar'] }, leaking)).rejects.toThrow(/asks what a query asks/)
  })

  test('a card without enough tasks', async () => {
    const short: VariantProber = (cards, count, how) =>
      probeBySource(
        cards,
        count,
        {
          openExecutor: () => ({ executor: executorOf(variants), close: async () => {} }),
          tasksOf: () => [],
          judge: referenceJudge(),
          allow: { missing: () => [], changed: () => [] },
          now: () => new Date(),
          newId: () => 'id',
        },
        how,
      )
    await expect(measure({ servers: ['calendar'] }, short)).rejects.toThrow(/0 tasks with known answers/)
  })
})
