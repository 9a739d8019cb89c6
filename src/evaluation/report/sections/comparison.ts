import { wholeRow } from '../../compare-runs.ts'
import type { Comparison } from '../../evaluation-run.ts'
import { measureTitle } from '../../measure-title.ts'
import { perCent } from '../../per-cent.ts'
import { type Html, html } from '../html.ts'
import { counted, probability, signed, signedInterval } from '../numbers.ts'
import { headlineOf, type ReportInput } from '../report-input.ts'
import type { Section } from '../section.ts'
import { type Cell, tableOf } from '../table.ts'

/** Below this, a difference is taken for real. */
const significant = 0.05

type Row = Comparison['rows'][number]

/** The p-value that decides: corrected for parts, as it is for the whole. */
const decisive = ({ part, p, pHolm }: Row): number => (part === wholeRow ? p : pHolm)

function verdict(row: Row): Cell {
  if (decisive(row) >= significant) return { shows: 'no clear difference', sort: 1 }
  const better = row.difference.mean > 0
  return better
    ? { shows: html`<span class="better">better</span>`, sort: 2 }
    : { shows: html`<span class="worse">worse</span>`, sort: 0 }
}

const comparisonRow = (row: Row): readonly Cell[] => [
  { shows: row.part === wholeRow ? 'all parts (macro)' : row.part },
  { shows: perCent(row.baseline), sort: row.baseline, number: true },
  { shows: perCent(row.candidate), sort: row.candidate, number: true },
  {
    shows: html`${signed(row.difference.mean)} <small>${signedInterval(row.difference)}</small>`,
    sort: row.difference.mean,
    number: true,
  },
  { shows: probability(row.p), sort: row.p, number: true },
  { shows: probability(row.pHolm), sort: row.pHolm, number: true },
  verdict(row),
  { shows: counted(row.difference.queries), sort: row.difference.queries, number: true },
]

/** One table per measure; all but the headline's are folded. */
function tableOfMeasure(measure: string, rows: readonly Row[]): Html {
  return tableOf({
    caption: `${measureTitle(measure)}: differences with 95% intervals`,
    columns: [
      { title: 'Part' },
      ...['Baseline', 'This run', 'Difference', 'p', 'p (Holm)'].map(
        (title) => ({ title, number: true }) as const,
      ),
      { title: 'Verdict' },
      { title: 'Queries', number: true },
    ],
    rows: rows.map(comparisonRow),
  })
}

/** What changed against the baseline, and how sure that is. Nothing without a comparison. */
export function comparisonSection({ run, comparison }: ReportInput): Section | undefined {
  if (comparison === undefined) return undefined
  const { rows, unmatched, unmatchedByPart } = comparison
  const measures = [...new Set(rows.map(({ measure }) => measure))]
  const of = (measure: string): readonly Row[] => rows.filter((row) => row.measure === measure)
  const first = measures.includes(headlineOf(run)) ? headlineOf(run) : (measures[0] ?? '')
  const missing =
    unmatched === 0
      ? undefined
      : html`<p class="note">${counted(unmatched)} ${unmatched === 1 ? 'query is' : 'queries are'} in one run only and left out: ${unmatchedByPart.map(({ part, baseline, candidate }) => `${part} (${baseline} only in the baseline, ${candidate} only in this run)`).join(', ')}.</p>`
  const body = html`
<p>${comparison.candidate} against ${comparison.baseline}. p is the chance of a difference at least this large if the two
runs were interchangeable (paired randomisation test); Holm’s correction allows for the number of parts.</p>
${missing}
${tableOfMeasure(first, of(first))}
${measures
  .filter((measure) => measure !== first)
  .map(
    (measure) =>
      html`<details><summary>${measureTitle(measure)}</summary>${tableOfMeasure(measure, of(measure))}</details>\n`,
  )}`
  return { id: 'comparison', title: 'Comparison', body }
}
