import type { ComponentChildren } from 'preact'
import type { Estimate } from '../../evaluation/runs/evaluation-run.ts'
import { interval, perCent } from '../../evaluation/report/numbers.ts'
import type { Cell, Column } from '../parts/table.tsx'

/** A stretch of the page with its own heading and place to jump to. */
export function Section({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Ids, each in its own box; texts of others may run from right to left. */
export const ids = (names: readonly string[]): ComponentChildren =>
  names.map((name) => [<code dir="auto">{name}</code>, ' '])

/** A name and what is to be said of it, in a list of such. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export const number = (title: string): Column => ({ title, number: true })

/** A number with its interval below it; a dash where nothing was measured. */
export function estimateCell(estimate: Estimate | undefined): Cell {
  if (estimate === undefined || estimate.queries === 0) return { shows: '–', sort: -2 }
  return { shows: withBelow(perCent(estimate.mean), interval(estimate)), sort: estimate.mean }
}

/** A number with something small below it. */
export const withBelow = (value: string, below: string): ComponentChildren => [
  value,
  ' ',
  <small>{below}</small>,
]
