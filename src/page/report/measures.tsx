import type { Estimates } from '../../evaluation/evaluation-run.ts'
import { counted, pairedRow, signed } from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { type PageColumn, Table } from '../parts/table.tsx'
import { estimates, figure, Section } from './show.tsx'

type Props = { facts: ReportFacts }

/** Every measure over everything; a baseline and what has changed since over the queries that both runs have. */
export function Measures({ facts: { run, titles, comparison } }: Props) {
  const pair = (measure: string) => pairedRow(comparison, wholeRow, measure)
  const compared: readonly PageColumn<string>[] = [
    figure('Baseline, macro', (measure) => pair(measure)?.baseline),
    figure('Difference', (measure) => pair(measure)?.difference.mean, signed),
  ]
  const columns: readonly PageColumn<string>[] = [
    { title: 'Measure', key: (measure) => titles[measure] ?? measure },
    estimates('Macro', (measure) => run.macro[measure]),
    estimates('Micro', (measure) => run.micro[measure]),
    ...(comparison ? compared : []),
    figure('Queries', (measure) => run.micro[measure]?.queries ?? 0, counted),
  ]
  return (
    <Section id="measures" title="Measures">
      <p class="note">
        Macro is the mean over parts, micro the mean over queries.
        {comparison && ' Baseline and difference are over the queries that both runs have.'}
      </p>
      <Table caption="The whole run, with 95% intervals" columns={columns} rows={run.measures} />
    </Section>
  )
}

type Row = { name: string; category?: string; estimates: Estimates }

/** Most queries that any measure of a part was taken over. */
const queriesOf = (row: Row): number =>
  Math.max(0, ...Object.values(row.estimates).map(({ queries }) => queries))

type BreakdownProps = Props & { caption: string; first: string; rows: readonly Row[] }

/** The headline stands next to the name: a narrow page shows it without scrolling. */
const Breakdown = ({ facts: { run, titles }, caption, first, rows }: BreakdownProps) => (
  <Table
    caption={caption}
    columns={[
      { title: first, key: (row) => row.name },
      ...run.measures.map((one) => estimates(titles[one] ?? one, (row: Row) => row.estimates[one])),
      figure('Queries', queriesOf, counted),
      ...(rows.some(({ category }) => category !== undefined)
        ? [{ title: 'Category', key: ({ category = '–' }: Row) => category }]
        : []),
    ]}
    rows={rows}
  />
)

/** Results by category over its parts and over its queries, each with the mean of categories. */
export function Categories({ facts }: Props) {
  const { categories, categoryAverages: averages } = facts.run
  const rowsOf = (means: typeof categories, average: Estimates | undefined): readonly Row[] => [
    ...Object.entries(means).map(([name, estimates]) => ({ name, estimates })),
    ...(average === undefined ? [] : [{ name: 'mean of categories', estimates: average }]),
  ]
  return (
    <Section id="categories" title="Categories">
      <Breakdown
        facts={facts}
        caption="Means over the parts of each category"
        first="Category"
        rows={rowsOf(categories, averages?.average.ofParts)}
      />
      {averages && (
        <Breakdown
          facts={facts}
          caption="Means over the queries of each category"
          first="Category"
          rows={rowsOf(averages.byQuery, averages.average.ofQueries)}
        />
      )}
    </Section>
  )
}

/** Results by part. */
export const Parts = ({ facts }: Props) => (
  <Section id="parts" title="Parts">
    <Breakdown
      facts={facts}
      caption="Means over the queries of each part"
      first="Part"
      rows={facts.run.parts}
    />
  </Section>
)
