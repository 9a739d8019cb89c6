import { printableLine } from '../../domain/text/printable.ts'
import type { CandidateReport } from '../../probing/run/probe-report.ts'
import type { RankedAgain } from '../../probing/run/ranked-again.ts'
import { type Column, tableLines } from './table.ts'
import type { Output } from '../terminal.ts'

/** A shortlist after its probe: every candidate with what became of it, as it stands now. */
export function rerankLines(candidates: readonly RankedAgain[], output: Output): readonly string[] {
  const columns: readonly Column[] = [
    { title: 'now', align: 'right' },
    { title: 'before', align: 'right' },
    { title: 'candidate', paint: output.paint.cyan },
    { title: 'result' },
    { title: 'score', align: 'right' },
  ]
  const rows = candidates.map(({ id, before, result, score }, at) => [
    String(at + 1),
    String(before),
    printableLine(id),
    resultText(result),
    score === null ? '–' : score.toFixed(3),
  ])
  const changed = candidates.some(({ before }, at) => before !== at + 1)
  return [
    output.paint.bold(changed ? 'The shortlist, ranked again' : 'The shortlist stands as it was'),
    ...tableLines(columns, rows, output),
  ]
}

/** What a probe made of a candidate, in few words. */
function resultText({ worked, graded, runs, notRun }: CandidateReport): string {
  if (graded > 0) return worked === 0 ? `failed ${graded} of ${graded}` : `worked ${worked} of ${graded}`
  if (runs.length > 0) return 'not graded'
  switch (notRun?.kind) {
    case 'permission':
      return 'not allowed'
    case 'runtime':
      return 'cannot run here'
    case 'arguments':
    case 'no-task':
      return 'not asked'
    case undefined:
      return 'no run ended'
  }
}
