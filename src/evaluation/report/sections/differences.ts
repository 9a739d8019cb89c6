import type { QueryDifference } from '../../evaluation-run.ts'
import { perCent } from '../../per-cent.ts'
import { type Html, html } from '../html.ts'
import { signed } from '../numbers.ts'
import { shownId } from '../pack/list-columns.ts'
import type { ReportInput } from '../report-input.ts'
import type { Section } from '../section.ts'

const idList = (ids: readonly string[]): Html =>
  html`<span class="ids">${ids.map((id) => html`<code dir="auto">${id}</code> `)}</span>`

function difference({ id, part, text, baseline, candidate, above, relevant }: QueryDifference): Html {
  const change = candidate - baseline
  return html`<li>
<p class="query" dir="auto">${text}</p>
<p class="values"><strong class="${change < 0 ? 'worse' : 'better'}">${signed(change)}</strong>
${perCent(baseline)} → ${perCent(candidate)} <span class="part">${part}</span>
<button type="button" class="show" data-part="${part}" data-query="${shownId(id)}" hidden>Show ranking</button></p>
<dl><dt>Relevant</dt><dd>${idList(relevant)}</dd>
<dt>${change < 0 ? 'Now above' : 'Before, above'} the first</dt><dd>${above.length === 0 ? 'nothing' : idList(above)}</dd></dl>
</li>\n`
}

const section = (
  id: string,
  title: string,
  short: string,
  queries: readonly QueryDifference[],
  none: string,
): Section => {
  const body =
    queries.length === 0
      ? html`<p>${none}</p>`
      : html`<ol class="differences">${queries.map(difference)}</ol>`
  return { id, title, short, body }
}

/** The queries that lost most and those that gained most. Nothing without a comparison. */
export const differenceSections = ({ comparison }: ReportInput): readonly Section[] =>
  comparison === undefined
    ? []
    : [
        section('regressions', 'Largest losses', 'Losses', comparison.regressions, 'No query got worse.'),
        section('wins', 'Largest wins', 'Wins', comparison.wins, 'No query got better.'),
      ]
