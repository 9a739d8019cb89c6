import type { ComponentChildren } from 'preact'
import type { Estimate } from '../../evaluation/evaluation-run.ts'
import { interval, perCent, signed, toneOf } from '../../evaluation/report/numbers.ts'
import type { PageColumn } from '../parts/table.tsx'

type SectionProps = { id: string; title: string; children: ComponentChildren }

/** A stretch of the page with its own heading and place to jump to. */
export const Section = ({ id, title, children }: SectionProps) => (
  <section id={id}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** Ids, each in its own box; texts of others may run from right to left. */
export const ids = (names: readonly string[]): ComponentChildren =>
  names.map((name) => [<code dir="auto">{name}</code>, ' '])

/** A change in points, coloured. */
export const Change = ({ by }: { by: number | undefined }) => (
  <span class={`by ${toneOf(by ?? 0)}`}>{by === undefined ? '–' : signed(by)}</span>
)

/** A number with something small below it. */
export const withBelow = (value: string, below: string): ComponentChildren => [
  value,
  ' ',
  <small>{below}</small>,
]

/** A column of numbers; a dash where there is none. */
export function figure<Row>(
  title: string,
  of: (row: Row) => number | undefined,
  written: (value: number) => string = perCent,
): PageColumn<Row> {
  const shows = (value: number | undefined) => (value === undefined ? '–' : written(value))
  return { title, number: true, key: (row) => of(row) ?? -2, shows: (row) => shows(of(row)) }
}

/** A mean with its interval below. */
export const withInterval = (estimate: Estimate): ComponentChildren =>
  withBelow(perCent(estimate.mean), interval(estimate))

/** A column of means with their intervals below; a dash where nothing was measured. */
export function estimates<Row>(title: string, of: (row: Row) => Estimate | undefined): PageColumn<Row> {
  const measured = (row: Row) => (of(row)?.queries === 0 ? undefined : of(row))
  const shows = (row: Row) => {
    const estimate = measured(row)
    return estimate ? withInterval(estimate) : '–'
  }
  return { title, number: true, key: (row) => measured(row)?.mean ?? -2, shows }
}
