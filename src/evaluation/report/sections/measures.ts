import { wholeRow } from '../../compare-runs.ts'
import type { Comparison, EvaluationRun, Estimates } from '../../evaluation-run.ts'
import { measureTitle } from '../../measure-title.ts'
import { perCent } from '../../per-cent.ts'
import { type Html, html } from '../html.ts'
import { counted, signed } from '../numbers.ts'
import { pairedRow, type ReportInput } from '../report-input.ts'
import type { Section } from '../section.ts'
import { type Cell, estimateCell, tableOf } from '../table.ts'

/** The mean of a baseline and what has changed since, over the queries that both runs have. */
function baselineCells(measure: string, comparison: Comparison): readonly Cell[] {
  const row = pairedRow(comparison, wholeRow, measure)
  if (row === undefined) {
    const none: Cell = { shows: '–', sort: -2, number: true }
    return [none, none]
  }
  const change = row.difference.mean
  return [
    { shows: perCent(row.baseline), sort: row.baseline, number: true },
    { shows: signed(change), sort: change, number: true },
  ]
}

/** Every measure over everything. */
export function measuresSection({ run, comparison }: ReportInput): Section {
  const table = tableOf({
    caption: 'The whole run, with 95% intervals',
    columns: [
      { title: 'Measure' },
      { title: 'Macro', number: true },
      { title: 'Micro', number: true },
      ...(comparison === undefined
        ? []
        : ([
            { title: 'Baseline, macro', number: true },
            { title: 'Difference', number: true },
          ] as const)),
      { title: 'Queries', number: true },
    ],
    rows: run.measures.map((measure) => {
      const queries = run.micro[measure]?.queries ?? 0
      return [
        { shows: measureTitle(measure) },
        estimateCell(run.macro[measure]),
        estimateCell(run.micro[measure]),
        ...(comparison === undefined ? [] : baselineCells(measure, comparison)),
        { shows: counted(queries), sort: queries, number: true },
      ]
    }),
  })
  const paired =
    comparison === undefined ? '' : ' Baseline and difference are over the queries that both runs have.'
  const body = html`<p class="note">Macro is the mean over parts, micro the mean over queries.${paired}</p>${table}`
  return { id: 'measures', title: 'Measures', body }
}

/** Most queries that any measure of a part was taken over. */
const queriesOf = (estimates: Estimates): number =>
  Object.values(estimates).reduce((most, { queries }) => Math.max(most, queries), 0)

type Breakdown = { readonly name: string; readonly category?: string; readonly estimates: Estimates }

/** The headline stands next to the name: a narrow page shows it without scrolling. */
function breakdown(
  caption: string,
  first: string,
  rows: readonly Breakdown[],
  measures: readonly string[],
): Html {
  const categorised = rows.some(({ category }) => category !== undefined)
  return tableOf({
    caption,
    columns: [
      { title: first },
      ...measures.map((measure) => ({ title: measureTitle(measure), number: true }) as const),
      { title: 'Queries', number: true },
      ...(categorised ? [{ title: 'Category' }] : []),
    ],
    rows: rows.map(({ name, category, estimates }) => {
      const queries = queriesOf(estimates)
      return [
        { shows: name },
        ...measures.map((measure) => estimateCell(estimates[measure])),
        { shows: counted(queries), sort: queries, number: true as const },
        ...(categorised ? [{ shows: category ?? '–' }] : []),
      ]
    }),
  })
}

/** Results by category over its parts and over its queries, each with the mean of categories. Nothing without any. */
export function categoriesSection({ run }: ReportInput): Section | undefined {
  const rowsOf = (means: EvaluationRun['categories'], average: Estimates | undefined): Breakdown[] => [
    ...Object.entries(means).map(([name, estimates]) => ({ name, estimates })),
    ...(average === undefined ? [] : [{ name: 'mean of categories', estimates: average }]),
  ]
  const rows = rowsOf(run.categories, run.categoryAverages?.average.ofParts)
  if (rows.length === 0) return undefined
  const byPart = breakdown('Means over the parts of each category', 'Category', rows, run.measures)
  if (run.categoryAverages === undefined) return { id: 'categories', title: 'Categories', body: byPart }
  const { byQuery, average } = run.categoryAverages
  const pooled = rowsOf(byQuery, average.ofQueries)
  const body = html`${byPart}${breakdown('Means over the queries of each category', 'Category', pooled, run.measures)}`
  return { id: 'categories', title: 'Categories', body }
}

/** Results by part. */
export function partsSection({ run }: ReportInput): Section {
  const body = breakdown('Means over the queries of each part', 'Part', run.parts, run.measures)
  return { id: 'parts', title: 'Parts', body }
}
