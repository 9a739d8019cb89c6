import { printableLine } from '../domain/printable.ts'
import type { SearchAnswer } from '../retrieval/answer.ts'
import { type Column, tableLines } from './table.ts'
import type { Output } from './terminal.ts'

/** A shortlist before and after its track record counted: every candidate of either, as it stands now. */
export function rerankLines(before: SearchAnswer, after: SearchAnswer, output: Output): readonly string[] {
  const idsOf = ({ candidates }: SearchAnswer) => candidates.map(({ card }) => card.id)
  const [old, now] = [idsOf(before), idsOf(after)]
  const columns: readonly Column[] = [
    { title: 'now', align: 'right' },
    { title: 'before', align: 'right' },
    { title: 'candidate', paint: output.paint.cyan },
    { title: 'score', align: 'right' },
  ]
  const place = (ids: readonly string[], id: string): string => {
    const at = ids.indexOf(id)
    return at < 0 ? '–' : String(at + 1)
  }
  const rows = [...now, ...old.filter((id) => !now.includes(id))].map((id) => [
    place(now, id),
    place(old, id),
    printableLine(id),
    after.candidates.find(({ card }) => card.id === id)?.score.toFixed(3) ?? '',
  ])
  const changed = now.some((id, at) => old[at] !== id)
  return [
    output.paint.bold(changed ? 'The shortlist, ranked again' : 'The shortlist stands as it was'),
    ...tableLines(columns, rows, output),
  ]
}
