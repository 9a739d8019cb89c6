import type { Comparison, QueryDifference } from '../../evaluation/evaluation-run.ts'
import {
  counted,
  perCent,
  probability,
  signed,
  signedInterval,
  toneOf,
} from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import type { ReportQuery } from '../../evaluation/report/report-queries.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { type PageColumn, Table } from '../parts/table.tsx'
import { Change, figure, ids, Section, withBelow } from './show.tsx'

/** Below this, a difference is taken for real. */
export const significant = 0.05

type Row = Comparison['rows'][number]

/** The p-value that decides is corrected for parts, as it is for the whole. */
const toneOfRow = ({ part, p, pHolm, difference }: Row) =>
  toneOf((part === wholeRow ? p : pHolm) < significant ? difference.mean : 0)

const verdicts = { better: 'better', same: 'no clear difference', worse: 'worse' }

const columns: readonly PageColumn<Row>[] = [
  { title: 'Part', key: ({ part }) => (part === wholeRow ? 'all parts (macro)' : part) },
  figure('Baseline', (row) => row.baseline),
  figure('This run', (row) => row.candidate),
  {
    title: 'Difference',
    number: true,
    key: ({ difference }) => difference.mean,
    shows: ({ difference }) => withBelow(signed(difference.mean), signedInterval(difference)),
  },
  figure('p', (row) => row.p, probability),
  figure('p (Holm)', (row) => row.pHolm, probability),
  {
    title: 'Verdict',
    key: (row) => verdicts[toneOfRow(row)],
    shows: (row) => <span class={toneOfRow(row)}>{verdicts[toneOfRow(row)]}</span>,
  },
  figure('Queries', ({ difference }) => difference.queries, counted),
]

type Props = { comparison: Comparison }

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
  const measures = Object.entries(titles)
    .map(([name, title]) => ({ title, rows: comparison.rows.filter(({ measure }) => measure === name) }))
    .filter(({ rows }) => rows.length > 0)
  return (
    <Section id="comparison" title="Comparison">
      <p>
        {comparison.candidate} against {comparison.baseline}. p is the chance of a difference at least this
        large if the two runs were interchangeable (paired randomisation test); Holm’s correction allows for
        the number of parts.
      </p>
      <LeftOut comparison={comparison} />
      {measures.map(({ title, rows }, at) => (
        <details open={at === 0}>
          <summary>{title}</summary>
          <Table caption={`${title}: differences with 95% intervals`} columns={columns} rows={rows} />
        </details>
      ))}
    </Section>
  )
}

type ChangedProps = {
  id: string
  title: string
  none: string
  changed: readonly QueryDifference[]
  /** Absent until the page has them. */
  queries: readonly ReportQuery[] | undefined
  open(at: number): void
}

/** The queries that lost most, or those that gained most. */
export const Changed = ({ id, title, none, changed, queries, open }: ChangedProps) => (
  <Section id={id} title={title}>
    {changed.length === 0 && <p>{none}</p>}
    <ol class="plain rows">
      {changed.map((one) => {
        const { text, part, baseline, candidate, above, relevant } = one
        const at = queries?.findIndex((query) => query.id === one.id && query.part === part)
        return (
          <li>
            <p class="clamped" dir="auto">
              {text}
            </p>
            <p class="line">
              <strong>
                <Change by={candidate - baseline} />
              </strong>
              <span>{`${perCent(baseline)} → ${perCent(candidate)}`}</span>
              <small>{part}</small>
              {at === -1 ? (
                <small>not kept in this report; the run’s own file has it</small>
              ) : (
                <button type="button" class="live" disabled={at === undefined} onClick={() => open(at ?? 0)}>
                  Show ranking
                </button>
              )}
            </p>
            <dl>
              <dt>Relevant</dt>
              <dd>{ids(relevant)}</dd>
              <dt>{candidate < baseline ? 'Now above' : 'Before, above'} the first</dt>
              <dd>{above.length === 0 ? 'nothing' : ids(above)}</dd>
            </dl>
          </li>
        )
      })}
    </ol>
  </Section>
)
