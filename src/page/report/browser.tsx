import { hydrate } from 'preact'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import type { Packed } from './queries.tsx'
import { unpacked } from './query-data.ts'
import { Report } from './report.tsx'

/** Data of the document by its name. */
const data = <Value,>(id: string): Promise<Value> =>
  unpacked<Value>(document.getElementById(id)?.textContent ?? '')

/** Called once, kept for good. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined
  return () => {
    kept ??= read()
    return kept
  }
}

const read: Packed = { list: once(() => data('list')), details: once(() => data('details')) }

async function start(root: HTMLElement): Promise<void> {
  hydrate(<Report facts={await data<ReportFacts>('facts')} read={read} />, root)
  document.documentElement.dataset.live = ''
}

const root = document.getElementById('report')
// The document is painted as it was written before the script takes it over.
if (root !== null) requestAnimationFrame(() => setTimeout(() => void start(root)))
