import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export type PageColumn<Row> = {
  readonly title: string
  /** Numbers stand to the right, and fall at first when they are sorted; texts rise. */
  readonly number?: boolean
  /** What rows are sorted by. */
  key(row: Row): number | string
  /** What a cell shows, where that is not its key. */
  shows?(row: Row): ComponentChildren
}

const inOrder = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en', { numeric: true })

type TableProps<Row> = {
  caption: string
  columns: readonly PageColumn<Row>[]
  rows: readonly Row[]
  /** Rows that are shown until the reader wants all. @defaultValue all */
  most?: number
  /** On a narrow window each row is a block, with the names of its columns. @defaultValue it scrolls sideways */
  stacks?: boolean
}

/**
 * A table whose heads sort it. The first column names the row. It stands in a region that scrolls sideways, by touch and by
 * keys, so that the page does not.
 */
export function Table<Row>({ caption, columns, rows, most = rows.length, stacks }: TableProps<Row>) {
  const [isWhole, wholly] = useState(false)
  const [{ by, turn }, sort] = useState({ by: -1, turn: 1 })
  const key = columns[by]?.key
  const sorted = key ? rows.toSorted((a, b) => turn * inOrder(key(a), key(b))) : rows
  const firstTurn = (at: number): number => (columns[at]?.number ? -1 : 1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    <section class={stacks ? 'scroll stacks' : 'scroll'} aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number }, at) => (
              <th
                scope="col"
                class={number ? 'number' : undefined}
                aria-sort={by !== at ? undefined : turn === 1 ? 'ascending' : 'descending'}
              >
                <button
                  type="button"
                  onClick={() => sort({ by: at, turn: by === at ? -turn : firstTurn(at) })}
                >
                  {title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, isWhole ? rows.length : most).map((row) => (
            <tr>
              {columns.map(({ title, number, key, shows = key }, at) =>
                at === 0 ? (
                  <th scope="row">{shows(row)}</th>
                ) : (
                  <td class={number ? 'number' : undefined} data-title={stacks ? title : undefined}>
                    {shows(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <button type="button" class="button" onClick={() => wholly(!isWhole)}>
          {isWhole ? `Show the first ${most}` : `Show all ${rows.length}`}
        </button>
      )}
    </section>
  )
}
