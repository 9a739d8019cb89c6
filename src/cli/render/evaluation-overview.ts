import { printableLine } from '../../domain/text/printable.ts'
import type { KnownDataset } from '../../evaluation/evaluations.ts'
import { measureTitle } from '../../evaluation/runs/measure-title.ts'
import type { KeptRun } from '../../evaluation/runs/run-store.ts'
import { withInterval } from './evaluation-lines.ts'
import { tableLines } from './table.ts'
import type { Output } from '../terminal.ts'

/** Runs shown, newest first. */
const shownRuns = 10

/** What can be run by name, and what was run. */
export function overviewLines(
  datasets: readonly KnownDataset[],
  runs: readonly KeptRun[],
  output: Output,
): readonly string[] {
  const { paint } = output
  return [
    paint.bold('Datasets'),
    ...tableLines(
      [{ title: 'name', paint: paint.cyan }, { title: 'from' }, { title: 'what', least: 16 }],
      datasets.map(({ name, kind, describes }) => [name, origins[kind], printableLine(describes)]),
      output,
    ),
    '',
    paint.bold('Runs'),
    ...(runs.length === 0 ? ['None yet: audition evaluate bundled'] : runTable(runs, output)),
  ]
}

const origins = { bundled: 'bundled', registered: 'yours', self: 'your index' } as const

function runTable(runs: readonly KeptRun[], output: Output): readonly string[] {
  const more = runs.length - shownRuns
  return [
    ...tableLines(
      [
        { title: 'dataset', least: 8 },
        { title: 'run', paint: output.paint.cyan, least: 12 },
        { title: 'queries', align: 'right' },
        { title: 'measure' },
        { title: 'mean of parts', align: 'right' },
        { title: 'made' },
      ],
      runs.slice(0, shownRuns).map(({ dataset, run, equivalence, queries, macro, startedAt }) => {
        const [headline = ''] = Object.keys(macro)
        return [
          dataset,
          run,
          String(queries),
          `${measureTitle(headline)}${equivalence === 'aware' ? ', copies count' : ''}`,
          withInterval(macro[headline]),
          startedAt.slice(0, 16).replace('T', ' '),
        ]
      }),
      output,
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}
