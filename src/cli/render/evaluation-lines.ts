import { left, right, tableOf } from './table.ts'
import type { Output } from '../terminal.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { KnownDataset } from '../../evaluation/evaluations.ts'
import { interval, perCent } from '../../evaluation/report/numbers.ts'
import type { Estimate, Estimates, EvaluationRun, RunTiming } from '../../evaluation/evaluation-run.ts'
import { measureTitle } from '../../evaluation/measures/measures.ts'
import type { KeptRun } from '../../evaluation/runs/run-store.ts'
import { timeText } from './text.ts'
import type { RunCurves } from '../../evaluation/report/curves.ts'

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
  const row = (name: string, estimates: Estimates) => ({ name, estimates })
  const categories = Object.entries(run.categories)
  const several = run.parts.length > 1
  const rows = [
    ...run.parts.map(({ name, estimates }) => row(name, estimates)),
    ...categories.map(([name, estimates]) => row(`mean of ${name}`, estimates)),
    ...(run.categoryAverages === undefined || categories.length < 2
      ? []
      : [
          row('mean of categories', run.categoryAverages.average.ofParts),
          row('mean of categories (by query)', run.categoryAverages.average.ofQueries),
        ]),
    ...(several ? [row('mean of parts', run.macro), row('all queries', run.micro)] : []),
  ]
  type Row = (typeof rows)[number]
  return tableOf(rows, output, [
    left('part', ({ name }) => name, { paint: output.paint.cyan, least: 10 }),
    right('queries', ({ estimates }) =>
      Math.max(0, ...Object.values(estimates).map(({ queries }) => queries)),
    ),
    right(measureTitle(headline), ({ estimates }) => withInterval(estimates[headline])),
    ...others.map((measure) =>
      right<Row>(measureTitle(measure), ({ estimates }) => perCent(estimates[measure]?.mean)),
    ),
  ])
}

/** Every measure over everything, with its interval. */
function wholeTable({ measures, macro, micro, parts }: EvaluationRun, output: Output): readonly string[] {
  const several = parts.length > 1
  return tableOf(measures, output, [
    left('measure', measureTitle, { paint: output.paint.cyan, least: 10 }),
    right(several ? 'mean of parts' : 'mean', (measure) => withInterval(macro[measure])),
    ...(several ? [right<string>('all queries', (measure) => withInterval(micro[measure]))] : []),
    right('queries', (measure) => micro[measure]?.queries ?? 0),
  ])
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
    ...tableOf(datasets, output, [
      left('name', ({ name }) => name, { paint: paint.cyan }),
      left('from', ({ kind }) => origins[kind]),
      left('what', ({ describes }) => describes, { least: 16 }),
    ]),
    '',
    paint.bold('Runs'),
    ...(runs.length === 0 ? ['None yet: audition evaluate bundled'] : runTable(runs, output)),
  ]
}

const origins = { bundled: 'bundled', registered: 'yours', self: 'your index' } as const

const headlineIn = (macro: Estimates): string => Object.keys(macro)[0] ?? ''

function runTable(runs: readonly KeptRun[], output: Output): readonly string[] {
  const more = runs.length - shownRuns
  return [
    ...tableOf(runs.slice(0, shownRuns), output, [
      left('dataset', ({ dataset }) => dataset, { least: 8 }),
      left('run', ({ run }) => run, { paint: output.paint.cyan, least: 12 }),
      right('queries', ({ queries }) => queries),
      left(
        'measure',
        ({ macro, equivalence }) =>
          `${measureTitle(headlineIn(macro))}${equivalence === 'aware' ? ', copies count' : ''}`,
      ),
      right('mean of parts', ({ macro }) => withInterval(macro[headlineIn(macro)])),
      left('made', ({ startedAt }) => timeText(startedAt)),
    ]),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}

/** Grades by rank beside an oracle's, and the headline by how often cards are wanted. */
export function curveLines(
  { gainByRank, popularity }: RunCurves,
  headline: string,
  output: Output,
): readonly string[] {
  const { bold } = output.paint
  return [
    bold('Mean grade by rank, beside the best order of all that is judged'),
    ...tableOf(gainByRank, output, [
      right('rank', ({ rank }) => rank),
      right('ranking', ({ gain }) => gain.toFixed(3)),
      right('oracle', ({ oracle }) => oracle.toFixed(3)),
      right('share up to here', ({ share }) => perCent(share)),
    ]),
    '',
    bold(`${measureTitle(headline)} by the queries that want the most wanted card of a query`),
    ...tableOf(popularity, output, [
      right('wanted by', ({ least, most }) => (least === most ? least : `${least} to ${most}`)),
      right('queries', ({ estimate }) => estimate.queries),
      right(measureTitle(headline), ({ estimate }) => `${perCent(estimate.mean)} ${interval(estimate)}`),
    ]),
  ]
}
