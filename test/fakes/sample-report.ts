import type { SearchFinding } from '../../src/evaluation/self/findings.ts'
import type { ReportInput } from '../../src/evaluation/report/report-facts.ts'
import { madeUpComparison, madeUpRun, madeUpTiming, type RunShape } from './evaluation-runs.ts'

/** One finding of every kind, and a second of one. */
export const sampleFindings: readonly SearchFinding[] = [
  {
    kind: 'unfindable',
    card: 'shop/sync',
    others: ['shop/refund'],
    message: 'is not among the first ten for any of 2 requests in its own words',
    remedy: 'Say in the description what it does.',
  },
  {
    kind: 'shadowed',
    card: 'bank/exchange',
    others: ['bank/convert'],
    message: 'stands behind bank/convert for all 2 requests in its own words',
    remedy: 'Say what tells them apart.',
  },
  {
    kind: 'duplicate',
    card: 'sky/forecast',
    others: ['cloud/forecast'],
    message: 'is listed 2 times; search shows one of them',
    remedy: 'Forget one source with `audition sources remove`.',
  },
  ...['disk/print', 'disk/scan'].map((card) => ({
    kind: 'thin' as const,
    card,
    others: [],
    message: 'has no description',
    remedy: 'Write one or two sentences.',
  })),
  {
    kind: 'undocumented-inputs',
    card: 'disk/scan',
    others: [],
    message: 'describes none of its 4 inputs',
    remedy: 'Give each property a description.',
  },
]

/** A report with everything in it: a baseline, a comparison, findings and another run. */
export function sampleReport(shape: RunShape = {}): ReportInput {
  const run = madeUpRun({ ...shape, name: 'benchmark hybrid own', seed: 2 })
  const baseline = madeUpRun({ ...shape, name: 'benchmark lexical own', seed: 1, quality: 0.4 })
  const other = madeUpRun({ name: 'benchmark rrf own', seed: 3, quality: 0.5 })
  return {
    run,
    timing: madeUpTiming(),
    baseline,
    baselineTiming: madeUpTiming(0.4),
    comparison: madeUpComparison(baseline, run),
    findings: sampleFindings,
    otherRuns: [{ run: other, timing: madeUpTiming(3) }],
  }
}

/** Texts that break out of a page that trusts what it shows. */
export const hostileText =
  '</script><script>window.hacked = 1</script><!--<img src=x onerror="window.hacked = 2">\'"&amp;\u202e\u0000\u0024{x}'

/** The sample with that text wherever a text of others can stand. */
export function hostileReport(): ReportInput {
  const { run, timing, comparison } = sampleReport({ queries: 12 })
  const part = `part ${hostileText}`
  const outcomes = run.outcomes.map((outcome, at) => ({
    ...outcome,
    id: `${at} ${hostileText}`,
    part,
    text: `${at} ${hostileText}`,
    group: hostileText,
    candidates: outcome.candidates.map(({ id, score, signals }) => ({
      id: `${id} ${hostileText}`,
      score,
      signals: {
        ...signals!,
        matched: [hostileText],
        lift: { from: hostileText, share: 0.5 },
        duplicates: [hostileText],
      },
    })),
    relevant: { [hostileText]: 1 },
  }))
  const difference = {
    ...outcomes[0]!,
    baseline: 0,
    candidate: 1,
    above: [hostileText],
    relevant: [hostileText],
  }
  const hostile = {
    ...run,
    name: hostileText,
    dataset: { name: hostileText, origin: hostileText, notes: [hostileText] },
    settings: { ...run.settings, model: hostileText },
    parts: [{ name: part, category: hostileText, estimates: run.macro }],
    categories: { [hostileText]: run.macro },
    outcomes,
  }
  return {
    run: hostile,
    timing: { ...timing, startedAt: hostileText },
    baseline: { ...hostile, name: `before ${hostileText}` },
    baselineTiming: timing,
    comparison: {
      ...comparison!,
      baseline: hostileText,
      candidate: hostileText,
      rows: comparison!.rows.map((row) => ({ ...row, part })),
      regressions: [difference],
      wins: [difference],
    },
    findings: sampleFindings.map((finding) => ({
      ...finding,
      card: hostileText,
      others: [hostileText],
      message: hostileText,
      remedy: hostileText,
    })),
    otherRuns: [{ run: { name: `third ${hostileText}`, macro: run.macro }, timing }],
  }
}
