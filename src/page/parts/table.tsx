import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A cell: what it shows, and the number or text it is sorted by when that is not what it shows. */
export type Cell = { readonly shows: ComponentChildren; readonly sort?: number | string }

export type Column = { readonly title: string; readonly number?: boolean }

type Sorting = { readonly column: number; readonly direction: 'ascending' | 'descending' }

const keyOf = ({ shows, sort }: Cell): number | string => sort ?? (typeof shows === 'string' ? shows : '')

/** Numbers before texts, each in their order. */
function inOrder(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  return a.localeCompare(b, 'en', { numeric: true })
}

function sorted(rows: readonly (readonly Cell[])[], sorting: Sorting | undefined) {
  if (sorting === undefined) return rows
  const turn = sorting.direction === 'ascending' ? 1 : -1
  const key = (row: readonly Cell[]): number | string => keyOf(row[sorting.column] ?? { shows: '' })
  return rows.toSorted((a, b) => turn * inOrder(key(a), key(b)))
}

/**
 * A table whose heads sort it: numbers fall at first, names rise. The first column names the row. It stands in a region
 * that scrolls sideways, by touch and by keys, so that the page does not.
 */
export function Table({
  caption,
  columns,
  rows,
}: {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}) {
  const [sorting, sort] = useState<Sorting>()
  const choose = (column: number, first: Sorting['direction']): void => {
    const other = first === 'descending' ? 'ascending' : 'descending'
    const again = sorting?.column === column && sorting.direction === first
    sort({ column, direction: again ? other : first })
  }
  const kind = (at: number): string | undefined => (columns[at]?.number ? 'number' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    <section class="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number }, at) => (
              <th
                scope="col"
                class={kind(at)}
                aria-sort={sorting?.column === at ? sorting.direction : undefined}
              >
                <button type="button" onClick={() => choose(at, number ? 'descending' : 'ascending')}>
                  {title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, sorting).map((cells) => (
            <tr>
              {cells.map(({ shows }, at) =>
                at === 0 ? <th scope="row">{shows}</th> : <td class={kind(at)}>{shows}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
