import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { counted } from '../../evaluation/report/numbers.ts'

/** What a choice offers: a value, and how it reads. */
export type Option = readonly [value: string, shows: string]

type ChoiceProps = {
  title: string
  name: string
  value: string
  options: readonly Option[]
  choose(value: string): void
}

/** A choice among a few, with its label. */
export const Choice = ({ title, name, value, options, choose }: ChoiceProps) => (
  <label class="choice live">
    {title}{' '}
    <select name={name} value={value} onInput={({ currentTarget }) => choose(currentTarget.value)}>
      {options.map(([one, shows]) => (
        <option value={one}>{shows}</option>
      ))}
    </select>
  </label>
)

/** Colours follow the system until the reader chooses otherwise. The style sheet reads what is chosen. */
export const Theme = () => (
  <select id="theme" aria-label="Theme" autocomplete="off">
    {['auto', 'light', 'dark'].map((theme) => (
      <option value={theme}>{`Theme: ${theme}`}</option>
    ))}
  </select>
)

/** Rows drawn at a time. */
const rowsOfPage = 50

type PagesProps<Row> = {
  id: string
  rows: readonly Row[]
  shows(row: Row): ComponentChildren
  open(at: number): void
}

/**
 * A long list, a page of it at a time: rows are buttons, so that the keys of any page open them. Another list needs another
 * `key`, so that it begins at its first page.
 */
export function Pages<Row>({ id, rows, shows, open }: PagesProps<Row>) {
  const [page, turn] = useState(0)
  const last = Math.max(0, Math.ceil(rows.length / rowsOfPage) - 1)
  const first = page * rowsOfPage
  const turns = [
    ['First', 0],
    ['Previous', page - 1],
    ['Next', page + 1],
    ['Last', last],
  ] as const
  return (
    <>
      <ol id={id} class="plain rows" start={first + 1}>
        {rows.slice(first, first + rowsOfPage).map((row, at) => (
          <li>
            <button type="button" class="row" onClick={() => open(first + at)}>
              {shows(row)}
            </button>
          </li>
        ))}
      </ol>
      {last > 0 && (
        <p class="line">
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
