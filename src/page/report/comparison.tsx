import type { Comparison, QueryDifference } from '../../evaluation/runs/evaluation-run.ts'
import { counted, perCent, probability, signed, signedInterval } from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { type Cell, Table } from '../parts/table.tsx'
import { ids, number, Section, withBelow } from './show.tsx'

/** Below this, a difference is taken for real. */
const significant = 0.05

type Row = Comparison['rows'][number]

/** The p-value that decides is corrected for parts, as it is for the whole. */
function verdict({ part, p, pHolm, difference }: Row): Cell {
  if ((part === wholeRow ? p : pHolm) >= significant) return { shows: 'no clear difference', sort: 1 }
  return difference.mean > 0
    ? { shows: <span class="better">better</span>, sort: 2 }
    : { shows: <span class="worse">worse</span>, sort: 0 }
}

const cellsOf = (row: Row): readonly Cell[] => [
  { shows: row.part === wholeRow ? 'all parts (macro)' : row.part },
  { shows: perCent(row.baseline), sort: row.baseline },
  { shows: perCent(row.candidate), sort: row.candidate },
  {
    shows: withBelow(signed(row.difference.mean), signedInterval(row.difference)),
    sort: row.difference.mean,
  },
  { shows: probability(row.p), sort: row.p },
  { shows: probability(row.pHolm), sort: row.pHolm },
  verdict(row),
  { shows: counted(row.difference.queries), sort: row.difference.queries },
]

const columns = [
  { title: 'Part' },
  ...['Baseline', 'This run', 'Difference', 'p', 'p (Holm)'].map(number),
  { title: 'Verdict' },
  number('Queries'),
]

type Props = { readonly comparison: Comparison }

function LeftOut({ comparison: { unmatched, unmatchedByPart } }: Props) {
  if (unmatched === 0) return null
  const parts = unmatchedByPart.map(
    ({ part, baseline, candidate }) =>
      `${part} (${baseline} only in the baseline, ${candidate} only in this run)`,
  )
  const are = unmatched === 1 ? 'query is' : 'queries are'
  return (
    <p class="note">{`${counted(unmatched)} ${are} in one run only and left out: ${parts.join(', ')}.`}</p>
  )
}

/** What changed against the baseline, and how sure that is: a table per measure, all but the first folded. */
export function Differences({ comparison, titles }: Props & Pick<ReportFacts, 'titles'>) {
  const [first, ...others] = Object.keys(titles)
    .filter((measure) => comparison.rows.some((row) => row.measure === measure))
    .map((measure) => ({
      title: titles[measure] ?? measure,
      table: (
        <Table
          caption={`${titles[measure]}: differences with 95% intervals`}
          columns={columns}
          rows={comparison.rows.filter((row) => row.measure === measure).map(cellsOf)}
        />
      ),
    }))
  return (
    <Section id="comparison" title="Comparison">
      <p>
        {comparison.candidate} against {comparison.baseline}. p is the chance of a difference at least this
        large if the two runs were interchangeable (paired randomisation test); Holm’s correction allows for
        the number of parts.
      </p>
      <LeftOut comparison={comparison} />
      {first?.table}
      {others.map(({ title, table }) => (
        <details>
          <summary>{title}</summary>
          {table}
        </details>
      ))}
    </Section>
  )
}

/** The queries that lost most, or those that gained most. */
export function Changed({
  id,
  title,
  none,
  queries,
  open,
}: {
  readonly id: string
  readonly title: string
  readonly none: string
  readonly queries: readonly QueryDifference[]
  open(query: QueryDifference): void
}) {
  return (
    <Section id={id} title={title}>
      {queries.length === 0 && <p>{none}</p>}
      <ol class="differences">
        {queries.map((query) => {
          const { text, part, baseline, candidate, above, relevant } = query
          const worse = candidate < baseline
          return (
            <li>
              <p class="clamped" dir="auto">
                {text}
              </p>
              <p class="values">
                <strong class={worse ? 'worse' : 'better'}>{signed(candidate - baseline)}</strong>
                <span>{`${perCent(baseline)} → ${perCent(candidate)}`}</span>
                <small>{part}</small>
                <button type="button" class="live" onClick={() => open(query)}>
                  Show ranking
                </button>
              </p>
              <dl>
                <dt>Relevant</dt>
                <dd>{ids(relevant)}</dd>
                <dt>{worse ? 'Now above' : 'Before, above'} the first</dt>
                <dd>{above.length === 0 ? 'nothing' : ids(above)}</dd>
              </dl>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
