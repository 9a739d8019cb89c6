import { measureTitle } from '../../measure-title.ts'
import { perCent } from '../../per-cent.ts'
import { type Html, html } from '../html.ts'
import { duration, interval } from '../numbers.ts'
import { headlineOf, type ReportInput } from '../report-input.ts'
import type { RunPoint } from '../run-points.ts'
import type { Section } from '../section.ts'
import { tableOf } from '../table.ts'

const measureChoice = (chart: string, measures: readonly string[]): Html => html`
<label class="choice">Measure <select data-chart="${chart}" data-choice="measure">
${measures.map((measure, at) => html`<option value="${at}">${measureTitle(measure)}</option>\n`)}</select></label>`

/** A chart; the tables of the page say the same to those who cannot see it. */
const figure = (id: string, label: string, caption: string, choice: Html): Html => html`
<figure class="chart">
<figcaption>${caption}</figcaption>
${choice}
<div class="canvas"><canvas id="${id}" role="img" aria-label="${label}"></canvas></div>
</figure>`

/** Means of parts with their intervals. */
export const intervalsSection = ({ run }: ReportInput): Section => ({
  id: 'intervals',
  title: 'Intervals',
  body: figure(
    'interval-chart',
    'Mean and 95% interval of every part; the table Parts has the numbers',
    'Mean of every part with its 95% bootstrap interval, best first. Parts with few queries have wide intervals.',
    measureChoice('interval-chart', run.measures),
  ),
})

/** This run and the baseline, side by side for each part. Nothing without a comparison. */
export function barsSection({ run, comparison }: ReportInput): Section | undefined {
  if (comparison === undefined) return undefined
  const body = figure(
    'bar-chart',
    'Means of every part in this run and in the baseline; the table Comparison has the numbers',
    `This run beside ${comparison.baseline}, over the queries that both have, the largest gain first.`,
    measureChoice('bar-chart', run.measures),
  )
  return { id: 'bars', title: 'Part by part', body }
}

const roles = { run: 'this run', baseline: 'baseline', other: 'another run' } as const

/** Quality against time, for this run and those it is set beside. */
export function latencySection({ run }: ReportInput, points: readonly RunPoint[]): Section {
  const measure = measureTitle(headlineOf(run))
  const choice = html`
<label class="choice">Search time <select data-chart="latency-chart" data-choice="percentile">
<option value="p50">median</option><option value="p95">95th percentile</option><option value="p99">99th percentile</option>
</select></label>`
  const table = tableOf({
    caption: 'Quality and search time of each run',
    columns: [
      { title: 'Run' },
      { title: 'Which' },
      { title: measure, number: true },
      ...['Median', 'p95', 'p99'].map((title) => ({ title, number: true }) as const),
    ],
    rows: points.map((point, at) => [
      { shows: `${at + 1}. ${point.name}`, sort: at },
      { shows: roles[point.role] },
      {
        shows: html`${perCent(point.mean)} <small>${interval(point)}</small>`,
        sort: point.mean,
        number: true,
      },
      ...([point.p50, point.p95, point.p99] as const).map(
        (time) => ({ shows: duration(time), sort: time, number: true }) as const,
      ),
    ]),
  })
  const chart = figure(
    'latency-chart',
    `${measure} by search time of each run; the table below has the numbers`,
    `${measure} (mean over parts) against search time per query. Up and to the left is better.`,
    choice,
  )
  return { id: 'latency', title: 'Quality by latency', short: 'Latency', body: html`${chart}${table}` }
}
