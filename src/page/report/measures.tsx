import type { Estimates } from '../../evaluation/runs/evaluation-run.ts'
import { counted, pairedRow, perCent, signed } from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { type Cell, Table } from '../parts/table.tsx'
import { estimateCell, number, Section } from './show.tsx'

type Props = { readonly facts: ReportFacts }

/** The mean of a baseline and what has changed since, over the queries that both runs have. */
function baselineCells(measure: string, { comparison }: ReportFacts): readonly Cell[] {
  if (comparison === undefined) return []
  const row = pairedRow(comparison, wholeRow, measure)
  if (row === undefined) return [estimateCell(undefined), estimateCell(undefined)]
  const change = row.difference.mean
  return [
    { shows: perCent(row.baseline), sort: row.baseline },
    { shows: signed(change), sort: change },
  ]
}

/** Every measure over everything. */
export function Measures({ facts }: Props) {
  const { run, titles, comparison } = facts
  const compared = comparison === undefined ? [] : [number('Baseline, macro'), number('Difference')]
  return (
    <Section id="measures" title="Measures">
      <p class="note">
        Macro is the mean over parts, micro the mean over queries.
        {comparison && ' Baseline and difference are over the queries that both runs have.'}
      </p>
      <Table
        caption="The whole run, with 95% intervals"
        columns={[{ title: 'Measure' }, number('Macro'), number('Micro'), ...compared, number('Queries')]}
        rows={run.measures.map((measure) => {
          const queries = run.micro[measure]?.queries ?? 0
          return [
            { shows: titles[measure] },
            estimateCell(run.macro[measure]),
            estimateCell(run.micro[measure]),
            ...baselineCells(measure, facts),
            { shows: counted(queries), sort: queries },
          ]
        })}
      />
    </Section>
  )
}

/** Most queries that any measure of a part was taken over. */
const queriesOf = (estimates: Estimates): number =>
  Object.values(estimates).reduce((most, { queries }) => Math.max(most, queries), 0)

type Row = { readonly name: string; readonly category?: string; readonly estimates: Estimates }

/** The headline stands next to the name: a narrow page shows it without scrolling. */
function Breakdown({
  facts: { run, titles },
  caption,
  first,
  rows,
}: Props & { readonly caption: string; readonly first: string; readonly rows: readonly Row[] }) {
  const category = rows.some((row) => row.category !== undefined)
  const measures = run.measures.map((measure) => number(titles[measure] ?? measure))
  return (
    <Table
      caption={caption}
      columns={[
        { title: first },
        ...measures,
        number('Queries'),
        ...(category ? [{ title: 'Category' }] : []),
      ]}
      rows={rows.map((row) => [
        { shows: row.name },
        ...run.measures.map((measure) => estimateCell(row.estimates[measure])),
        { shows: counted(queriesOf(row.estimates)), sort: queriesOf(row.estimates) },
        ...(category ? [{ shows: row.category ?? '–' }] : []),
      ])}
    />
  )
}

/** Results by category over its parts and over its queries, each with the mean of categories. */
export function Categories({ facts }: Props) {
  const { categories, categoryAverages } = facts.run
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
        rows={rowsOf(categories, categoryAverages?.average.ofParts)}
      />
      {categoryAverages && (
        <Breakdown
          facts={facts}
          caption="Means over the queries of each category"
          first="Category"
          rows={rowsOf(categoryAverages.byQuery, categoryAverages.average.ofQueries)}
        />
      )}
    </Section>
  )
}

/** Results by part. */
export function Parts({ facts }: Props) {
  return (
    <Section id="parts" title="Parts">
      <Breakdown
        facts={facts}
        caption="Means over the queries of each part"
        first="Part"
        rows={facts.parts}
      />
    </Section>
  )
}
