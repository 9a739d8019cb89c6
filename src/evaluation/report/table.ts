import type { Estimate } from '../evaluation-run.ts'
import { perCent } from '../per-cent.ts'
import { type Html, html } from './html.ts'
import { interval } from './numbers.ts'

/** A cell: what it shows, and the number or text it is sorted by when that is not what it shows. */
export type Cell = { readonly shows: Html | string; readonly sort?: number | string; readonly number?: true }

/** A table of a report. Its first column names the row. */
export type Table = {
  readonly caption: string
  readonly columns: readonly { readonly title: string; readonly number?: true }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A number with its interval below it; a dash where nothing was measured. */
export function estimateCell(estimate: Estimate | undefined): Cell {
  if (estimate === undefined || estimate.queries === 0) return { shows: '–', sort: -2, number: true }
  const shows = html`${perCent(estimate.mean)} <small>${interval(estimate)}</small>`
  return { shows, sort: estimate.mean, number: true }
}

const headCell = ({ title, number }: Table['columns'][number]): Html =>
  html`<th scope="col" class="${number ? 'number' : ''}">${title}</th>`

function bodyCell({ shows, sort, number }: Cell, column: number): Html {
  const kind = number ? 'number' : ''
  const key = sort ?? (typeof shows === 'string' ? shows : '')
  return column === 0
    ? html`<th scope="row" class="${kind}" data-sort="${key}">${shows}</th>`
    : html`<td class="${kind}" data-sort="${key}">${shows}</td>`
}

/** The table in a region of its own that scrolls sideways, by touch and by keys, so that the page does not. */
export const tableOf = ({ caption, columns, rows }: Table): Html => html`
<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table class="sortable">
<caption>${caption}</caption>
<thead><tr>${columns.map(headCell)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map(bodyCell)}</tr>\n`)}</tbody>
</table>
</div>`
