import { atLeast, atMost, type Floor, type Table } from '../../../bench/bench.ts'
import type { RunWithTools } from './run-with-tools.ts'

/** What a run did wrong, in words for a table: empty when nothing. */
export const faultOfRun = ({ leaked, missing, untold }: RunWithTools): string =>
  [
    leaked.length > 0 ? `reached the model: ${leaked.join(' ')}` : '',
    missing.length > 0 ? `kept from the model: ${missing.join(' ')}` : '',
    untold.length > 0 ? `withheld without a word: ${untold.join(' ')}` : '',
  ]
    .filter((fault) => fault !== '')
    .join('; ')

/** The trials, one a row. */
export const liveTable = (runs: readonly RunWithTools[]): Table => ({
  title: 'Servers that changed since they were indexed, attached to an agent that runs',
  head: ['change', 'source', 'tools', 'given', 'withheld', 'because', 'fault'],
  rows: runs.map((run) => [
    run.trial.what,
    run.trial.source,
    String(run.trial.now.tools.length),
    String(run.trial.now.tools.length - run.withheld.length),
    String(run.withheld.length),
    [...new Set(run.withheld.map(({ because }) => because))].sort().join(', '),
    faultOfRun(run),
  ]),
})

/** What is promised of runs. */
export const liveFloors = (runs: readonly RunWithTools[]): readonly Floor[] => {
  const sum = (count: (run: RunWithTools) => number): number =>
    runs.reduce((total, run) => total + count(run), 0)
  return [
    atLeast(
      'changed tools offered to running models',
      20,
      sum(({ trial }) => trial.now.tools.length - trial.fit.length),
    ),
    atMost(
      'changed tools that reach a running model',
      0,
      sum(({ leaked }) => leaked.length),
    ),
    atMost(
      'unchanged tools kept from a running model',
      0,
      sum(({ missing }) => missing.length),
    ),
    atMost(
      'tools withheld of which the run says nothing',
      0,
      sum(({ untold }) => untold.length),
    ),
  ]
}
