import { hydrate, render } from 'preact'
import { type PackedColumn, fromColumn } from '../../evaluation/report/columns.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import type { ReportQuery } from '../../evaluation/report/report-queries.ts'
import { Report } from './report.tsx'
import { unpacked } from './unpacked.ts'

/** Data of the document by its name. */
const data = <Value,>(id: string): Promise<Value> =>
  unpacked<Value>(document.getElementById(id)?.textContent ?? '')

async function start(root: HTMLElement): Promise<void> {
  const facts = await data<ReportFacts>('packed-facts')
  hydrate(<Report facts={facts} />, root)
  document.documentElement.dataset.live = ''
  const queries = fromColumn(await data<PackedColumn>('packed-queries')) as readonly ReportQuery[]
  render(<Report facts={facts} queries={queries} />, root)
}

/** Who shows the report in a frame chooses its colours by the fragment. */
function paint(): void {
  const [, theme] = /^#(auto|light|dark)$/.exec(location.hash) ?? []
  const choice = document.querySelector<HTMLSelectElement>('#theme')
  if (theme !== undefined && choice !== null) choice.value = theme
}

paint()
addEventListener('hashchange', paint)
const root = document.getElementById('report')
// The document is painted as it was written before the script takes it over.
if (root !== null) requestAnimationFrame(() => setTimeout(() => void start(root)))
