import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { counted } from '../../evaluation/report/numbers.ts'

/** Rows drawn at a time. */
const rowsOfPage = 50

/**
 * A long list, a page of it at a time: rows are buttons, so that the keys of any page open them. Another list needs another
 * `key`, so that it begins at its first page.
 */
export function Pages({
  id,
  count,
  row,
  open,
}: {
  readonly id: string
  readonly count: number
  row(at: number): ComponentChildren
  open(at: number): void
}) {
  const [page, turn] = useState(0)
  const last = Math.max(0, Math.ceil(count / rowsOfPage) - 1)
  const first = page * rowsOfPage
  const turns = [
    ['First', 0],
    ['Previous', page - 1],
    ['Next', page + 1],
    ['Last', last],
  ] as const
  return (
    <>
      <ol id={id} class="pages" start={first + 1}>
        {Array.from({ length: Math.min(rowsOfPage, count - first) }, (_, at) => (
          <li>
            <button type="button" class="row" onClick={() => open(first + at)}>
              {row(first + at)}
            </button>
          </li>
        ))}
      </ol>
      {last > 0 && (
        <p class="bar">
          {turns.map(([name, to]) => (
            <button type="button" disabled={to < 0 || to > last || to === page} onClick={() => turn(to)}>
              {name}
            </button>
          ))}
          <span class="note">{`page ${counted(page + 1)} of ${counted(last + 1)}`}</span>
        </p>
      )}
    </>
  )
}
