import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../evaluation/report/numbers.ts'

/** A choice among a few, with its label. */
export function Choice({
  title,
  name,
  value,
  options,
  choose,
}: {
  readonly title: string
  readonly name: string
  readonly value: string
  readonly options: readonly (readonly [value: string, shows: string])[]
  choose(value: string): void
}) {
  return (
    <label class="choice live">
      {title}{' '}
      <select name={name} value={value} onInput={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([one, shows]) => (
          <option value={one}>{shows}</option>
        ))}
      </select>
    </label>
  )
}

const themes = ['auto', 'light', 'dark'] as const

/** Colours follow the system until the reader chooses otherwise. */
export function ThemeButton() {
  const [chosen, choose] = useState(0)
  const theme = themes[chosen] ?? 'auto'
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return (
    <button type="button" id="theme" class="live" onClick={() => choose((chosen + 1) % themes.length)}>
      Theme: {theme}
    </button>
  )
}

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
