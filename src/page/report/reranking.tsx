import { isVerdictMeasure } from '../../evaluation/measures/measures.ts'
import { counted, perCent } from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { betterThan, letterOf, tookIn } from '../../evaluation/reranking/better-than.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import type { Estimates, RerankerCounts, RerankingTable } from '../../evaluation/runs/evaluation-run.ts'
import { type Column, Table } from '../parts/table.tsx'
import { figure, Section, withInterval } from './show.tsx'

type Row = RerankerCounts & {
  readonly at?: number
  readonly name: string
  readonly estimates: Estimates
  readonly published?: { readonly [measure: string]: number }
  readonly above: string
}

/** Orders of the same candidates side by side, a table a part; rows of publications where they may stand beside them. */
export function Reranking({ facts: { run, titles }, table }: { facts: ReportFacts; table: RerankingTable }) {
  const shown = run.measures.filter((measure) => !isVerdictMeasure(measure))
  const columns: readonly Column<Row>[] = [
    {
      title: 'Order',
      key: ({ at, name }) => (at === undefined ? `published: ${name}` : `${letterOf(at)}. ${name}`),
    },
    ...shown.map(
      (measure): Column<Row> => ({
        title: titles[measure] ?? measure,
        number: true,
        key: ({ estimates, published }) => estimates[measure]?.mean ?? published?.[measure] ?? -2,
        shows: ({ estimates, published }) =>
          estimates[measure] === undefined ? perCent(published?.[measure]) : withInterval(estimates[measure]),
      }),
    ),
    { title: 'Better than', key: ({ above }) => above },
    figure('Failed', ({ failed }) => failed, counted),
    figure('Requests', ({ requests }) => requests, counted),
    figure('Tokens', ({ tokens }) => tokens, counted),
    figure(
      '$',
      ({ cost }) => cost,
      (cost) => cost.toFixed(4),
    ),
  ]
  return (
    <Section id="reranking" title="Reranking">
      <p class="note">
        Better than: rows that this one is above by {titles[shown[0] ?? '']}, in a paired randomisation test
        with p below 0.05 after Holm’s correction over all pairs of rows.
      </p>
      {table.blocks.map((block) => (
        <>
          <Table
            caption={`${block.part === wholeRow ? 'Mean of all' : block.part}, with 95% intervals`}
            columns={columns}
            rows={[
              ...table.rows.map(({ name }, at) => ({
                ...{ name, at, estimates: block.estimates[at] ?? {}, above: betterThan(block, at) },
                ...tookIn(table, block, at),
              })),
              ...block.published.map(({ name, values }) => ({
                ...{ name, estimates: {}, published: values, above: '' },
              })),
            ]}
          />
          {block.note && <p class="note">{block.note}</p>}
        </>
      ))}
      {table.rows.map(({ name, failure }) => failure && <p class="note">{`${name}: ${failure}`}</p>)}
    </Section>
  )
}
