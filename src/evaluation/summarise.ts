import { grouped } from '../domain/grouped.ts'
import { seedOf } from '../domain/random.ts'
import type { DatasetPart } from './datasets/dataset.ts'
import { measureTitle, type NamedMeasure, verdictMeasures } from './measures/measures.ts'
import { percent } from './report/numbers.ts'
import type { CategoryAverages, Estimates, EvaluationRun, QueryOutcome, RunTiming } from './evaluation-run.ts'
import {
  estimateOf,
  macroOf,
  microOf,
  quantile,
  type Resampled,
  resampleMeasures,
} from './statistics/bootstrap.ts'

/** What a run says over and above its queries. */
type Summary = Pick<
  EvaluationRun,
  'measures' | 'parts' | 'categories' | 'categoryAverages' | 'macro' | 'micro'
>

/** One part's means and their resamples, by measure; a measure that applies to none of its queries is absent. */
type PartSample = {
  readonly part: Pick<DatasetPart, 'name' | 'category'>
  readonly byMeasure: ReadonlyMap<string, Resampled>
}

/**
 * Means over queries, parts and categories. A query counts for the measures it has a value of: one that nothing serves
 * for no measure of rankings, only for one of {@link verdictMeasures}.
 *
 * @param parts - those that were asked, in the order to be shown
 */
export function summarise(
  parts: readonly Pick<DatasetPart, 'name' | 'category'>[],
  outcomes: readonly QueryOutcome[],
  measures: readonly Pick<NamedMeasure, 'name'>[],
): Summary {
  const verdicts = Object.keys(verdictMeasures).filter((name) =>
    outcomes.some((outcome) => name in outcome.measures),
  )
  const names = [...measures.map(({ name }) => name), ...verdicts]
  const byPart = grouped(outcomes, ({ part }) => part)
  const samples = parts.map((part): PartSample => {
    const queries = (byPart.get(part.name) ?? []).map((outcome) => outcome.measures)
    return { part, byMeasure: resampleMeasures(queries, names, seedOf(part.name)) }
  })
  const categorised = grouped(
    samples.filter(({ part }) => part.category !== undefined),
    ({ part }) => part.category!,
  )
  const categories = [...categorised].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    measures: names,
    parts: samples.map(({ part: { name, category }, byMeasure }) => ({
      name,
      ...(category === undefined ? {} : { category }),
      estimates: estimatesOf(names, (measure) => byMeasure.get(measure)),
    })),
    categories: Object.fromEntries(categories.map(([name, own]) => [name, over(own, names, macroOf)])),
    ...(categories.length === 0 ? {} : { categoryAverages: averagesOf(categories, names) }),
    macro: over(samples, names, macroOf),
    micro: over(samples, names, microOf),
  }
}

/**
 * Notes that tell the headline of parts as a share of that of the part which they tell again; none where that part was
 * not asked, or has nothing to share.
 */
export function shareNotes(
  asked: readonly DatasetPart[],
  { measures: [headline = ''], parts }: Pick<EvaluationRun, 'measures' | 'parts'>,
): readonly string[] {
  const means = new Map(parts.map(({ name, estimates }) => [name, estimates[headline]?.mean]))
  const retelling = grouped(
    asked.filter(({ retells }) => retells !== undefined),
    ({ retells }) => retells!,
  )
  return [...retelling].flatMap(([original, others]) => {
    const whole = means.get(original) ?? 0
    if (whole === 0) return []
    const shares = others.map(({ name }) => `${name} ${percent(means.get(name) ?? 0, whole)}`)
    return [`${measureTitle(headline)} as a share of that of ${original}: ${shares.join(', ')}.`]
  })
}

function averagesOf(
  categories: readonly (readonly [string, readonly PartSample[]])[],
  names: readonly string[],
): CategoryAverages {
  const average = (mean: (parts: readonly Resampled[]) => Resampled): Estimates =>
    estimatesOf(names, (measure) => {
      const columns = categories.flatMap(([, own]) => sampleOver(own, measure, mean) ?? [])
      return columns.length === 0 ? undefined : macroOf(columns)
    })
  return {
    byQuery: Object.fromEntries(categories.map(([name, own]) => [name, over(own, names, microOf)])),
    average: { ofQueries: average(microOf), ofParts: average(macroOf) },
  }
}

const over = (
  samples: readonly PartSample[],
  names: readonly string[],
  mean: (parts: readonly Resampled[]) => Resampled,
): Estimates => estimatesOf(names, (measure) => sampleOver(samples, measure, mean))

/** @returns undefined when no part has the measure */
function sampleOver(
  samples: readonly PartSample[],
  measure: string,
  mean: (parts: readonly Resampled[]) => Resampled,
): Resampled | undefined {
  const parts = samples.flatMap(({ byMeasure }) => byMeasure.get(measure) ?? [])
  return parts.length === 0 ? undefined : mean(parts)
}

const estimatesOf = (
  names: readonly string[],
  sampleFor: (measure: string) => Resampled | undefined,
): Estimates =>
  Object.fromEntries(
    names.flatMap((name) => {
      const sample = sampleFor(name)
      return sample === undefined ? [] : [[name, estimateOf(sample)]]
    }),
  )

/** Milliseconds that a run spent, as it counts them. */
export type SpentTime = { indexingMs: number; readonly searchMs: number[] }

/** The times of a run, from what it counted. Microseconds are kept: finer ones are noise. */
export function timingOf(startedAt: string, totalMs: number, { indexingMs, searchMs }: SpentTime): RunTiming {
  const at = (share: number): number => rounded(quantile(searchMs, share))
  return {
    startedAt,
    totalMs: rounded(totalMs),
    indexingMs: rounded(indexingMs),
    searchMs: {
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      sum: rounded(searchMs.reduce((sum, ms) => sum + ms, 0)),
    },
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000
