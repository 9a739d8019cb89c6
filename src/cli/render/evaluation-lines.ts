import { type Column, tableLines } from './table.ts'
import type { Output } from '../terminal.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { KnownDataset } from '../../evaluation/evaluations.ts'
import { perCent } from '../../evaluation/report/numbers.ts'
import type { Estimate, Estimates, EvaluationRun, RunTiming } from '../../evaluation/runs/evaluation-run.ts'
import { measureTitle } from '../../evaluation/measures/measures.ts'
import type { KeptRun } from '../../evaluation/runs/run-store.ts'

/** Notes shown; the rest are counted: the report has them all. */
const shownNotes = 5

/** A run for people: how it was made, a row per part with its intervals, averages, speed and size of answers. */
export function evaluationLines(run: EvaluationRun, timing: RunTiming, output: Output): readonly string[] {
  const { paint } = output
  return [
    paint.bold(printableLine(run.name)),
    ...headLines(run),
    '',
    ...partTable(run, output),
    '',
    ...wholeTable(run, output),
    '',
    'Percent, with 95% bootstrap intervals; those of every part and measure are in the report and in --json.',
    ...refusalLines(run),
    ...costLines(run, timing),
    ...noteLines(run.dataset, output),
  ]
}

/** An index for people, when no query can be made of its cards: why, and what would change that. */
export function unaskedLines(dataset: EvaluationRun['dataset'], output: Output): readonly string[] {
  return [
    `${dataset.name}: ${printableLine(dataset.origin)}. Nothing was asked: there are no figures and no report.`,
    ...noteLines(dataset, output),
    'An example, or a second sentence in the description, is what a card is asked for by.',
  ]
}

function noteLines(dataset: EvaluationRun['dataset'], { paint }: Output): readonly string[] {
  const notes = dataset.notes.map(printableLine)
  const more = notes.length > shownNotes ? [`and ${notes.length - shownNotes} more, in the report`] : []
  return [...notes.slice(0, shownNotes), ...more].map((note) => paint.dim(`Note: ${note}`))
}

const headLines = ({ dataset, settings, parts, outcomes }: EvaluationRun): readonly string[] => [
  `${dataset.name}: ${countOf(outcomes.length, 'query', 'queries')}, ${countOf(parts.length, 'part')}. ${printableLine(dataset.origin)}`,
  [
    `ranker ${settings.ranker}${settings.model === null ? '' : ` (${printableLine(settings.model)})`}`,
    ...(settings.crossEncoder === undefined
      ? []
      : [`${printableLine(settings.crossEncoder.model)} over the first ${settings.crossEncoder.depth}`]),
    corpusWords[settings.corpus],
    `${settings.instruction} instruction`,
    ...(settings.defended ? ['defences on, as against strangers'] : []),
    ...(settings.equivalence === 'aware' ? ['copies of relevant cards count (equivalence aware)'] : []),
  ].join(', '),
]

const corpusWords = {
  own: 'each part over its own cards',
  joined: "all parts' cards joined",
  index: 'over your index',
} as const

function partTable(run: EvaluationRun, output: Output): readonly string[] {
  const [headline = '', ...others] = run.measures
  const columns: readonly Column[] = [
    { title: 'part', paint: output.paint.cyan, least: 10 },
    { title: 'queries', align: 'right' },
    { title: measureTitle(headline), align: 'right' },
    ...others.map((measure): Column => ({ title: measureTitle(measure), align: 'right' })),
  ]
  const row = (name: string, estimates: Estimates): readonly string[] => [
    name,
    String(Math.max(0, ...Object.values(estimates).map(({ queries }) => queries))),
    withInterval(estimates[headline]),
    ...others.map((measure) => perCent(estimates[measure]?.mean)),
  ]
  const categories = Object.entries(run.categories)
  const several = run.parts.length > 1
  const rows = [
    ...run.parts.map(({ name, estimates }) => row(printableLine(name), estimates)),
    ...categories.map(([name, estimates]) => row(`mean of ${printableLine(name)}`, estimates)),
    ...(run.categoryAverages === undefined || categories.length < 2
      ? []
      : [
          row('mean of categories', run.categoryAverages.average.ofParts),
          row('mean of categories (by query)', run.categoryAverages.average.ofQueries),
        ]),
    ...(several ? [row('mean of parts', run.macro), row('all queries', run.micro)] : []),
  ]
  return tableLines(columns, rows, output)
}

/** Every measure over everything, with its interval. */
function wholeTable({ measures, macro, micro, parts }: EvaluationRun, output: Output): readonly string[] {
  const several = parts.length > 1
  const columns: readonly Column[] = [
    { title: 'measure', paint: output.paint.cyan, least: 10 },
    { title: several ? 'mean of parts' : 'mean', align: 'right' },
    ...(several ? [{ title: 'all queries', align: 'right' } as const] : []),
    { title: 'queries', align: 'right' },
  ]
  const rows = measures.map((measure) => [
    measureTitle(measure),
    withInterval(macro[measure]),
    ...(several ? [withInterval(micro[measure])] : []),
    String(micro[measure]?.queries ?? 0),
  ])
  return tableLines(columns, rows, output)
}

/** How often "nothing fits" was said, of queries asked with and without what serves them. */
function refusalLines({ macro }: EvaluationRun): readonly string[] {
  const [answered, refused] = [macro.answered?.mean, macro['refused-absent']?.mean]
  if (answered === undefined || refused === undefined) return []
  return [
    `Of 100 queries whose tool is there, ${perCent(1 - answered)} were told that nothing fits (wrongly); ` +
      `${perCent(answered)} were not.`,
    `Of 100 asked again with that tool removed, ${perCent(refused)} were told that nothing fits (rightly); ` +
      `${perCent(1 - refused)} were not.`,
  ]
}

/** Speed and size beside quality: a better ranking that takes ten times as long is another product. */
function costLines(run: EvaluationRun, { totalMs, indexingMs, searchMs }: RunTiming): readonly string[] {
  const tokens = run.outcomes.map((outcome) => outcome.tokens)
  const mean = tokens.reduce((sum, count) => sum + count, 0) / Math.max(1, tokens.length)
  return [
    `Search ${ms(searchMs.p50)} median, ${ms(searchMs.p95)} 95th, ${ms(searchMs.p99)} 99th percentile` +
      `${mean > 0 ? `; ${countOf(Math.round(mean), 'token')} per answer` : ''}.`,
    `Took ${seconds(totalMs)}: indexing ${seconds(indexingMs)}, searching ${seconds(searchMs.sum)}.`,
  ]
}

/** A mean with its interval. */
const withInterval = (estimate: Estimate | undefined): string =>
  estimate === undefined
    ? '–'
    : `${perCent(estimate.mean)} [${perCent(estimate.low)}, ${perCent(estimate.high)}]`

const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`

const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`

/** Runs shown, newest first. */
const shownRuns = 10

/** What can be run by name, and what was run. */
export function overviewLines(
  datasets: readonly KnownDataset[],
  runs: readonly KeptRun[],
  output: Output,
): readonly string[] {
  const { paint } = output
  return [
    paint.bold('Datasets'),
    ...tableLines(
      [{ title: 'name', paint: paint.cyan }, { title: 'from' }, { title: 'what', least: 16 }],
      datasets.map(({ name, kind, describes }) => [name, origins[kind], printableLine(describes)]),
      output,
    ),
    '',
    paint.bold('Runs'),
    ...(runs.length === 0 ? ['None yet: audition evaluate bundled'] : runTable(runs, output)),
  ]
}

const origins = { bundled: 'bundled', registered: 'yours', self: 'your index' } as const

function runTable(runs: readonly KeptRun[], output: Output): readonly string[] {
  const more = runs.length - shownRuns
  return [
    ...tableLines(
      [
        { title: 'dataset', least: 8 },
        { title: 'run', paint: output.paint.cyan, least: 12 },
        { title: 'queries', align: 'right' },
        { title: 'measure' },
        { title: 'mean of parts', align: 'right' },
        { title: 'made' },
      ],
      runs.slice(0, shownRuns).map(({ dataset, run, equivalence, queries, macro, startedAt }) => {
        const [headline = ''] = Object.keys(macro)
        return [
          dataset,
          run,
          String(queries),
          `${measureTitle(headline)}${equivalence === 'aware' ? ', copies count' : ''}`,
          withInterval(macro[headline]),
          startedAt.slice(0, 16).replace('T', ' '),
        ]
      }),
      output,
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}
