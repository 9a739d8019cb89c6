import type { ComponentChildren } from 'preact'

/** Ends of an axis. */
export type Range = { readonly min: number; readonly max: number }

/** Where a value stands along the plot's width, as SVG takes it. */
export type Scale = (value: number) => string

/** Per cent of the width at which the plot begins, left of it the names, and that it takes. */
const left = 30
const width = 67

const scaleOf =
  ({ min, max }: Range): Scale =>
  (value) =>
    `${left + (width * (value - min)) / (max - min || 1)}%`

/**
 * A drawing as wide as its place, in colours of the style sheet, with an axis below it. Tables must say the same to those who
 * cannot see it.
 *
 * @param height - of what is drawn, in CSS pixels
 * @param ticks - values that the axis names
 */
export function Plot({
  id,
  label,
  height,
  range,
  ticks,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly height: number
  readonly range: Range
  readonly ticks: readonly (readonly [value: number, shows: string])[]
  children(scale: Scale): ComponentChildren
}) {
  const scale = scaleOf(range)
  return (
    <svg id={id} class="plot" role="img" aria-label={label} width="100%" height={height + 24}>
      {ticks.map(([value, shows]) => (
        <g>
          <line x1={scale(value)} x2={scale(value)} y1="0" y2={height} />
          <text x={scale(value)} y={height + 18} text-anchor="middle">
            {shows}
          </text>
        </g>
      ))}
      {children(scale)}
    </svg>
  )
}

/** A name left of the plot, cut where the plot begins. */
export function RowName({
  name,
  top,
  height,
}: {
  readonly name: string
  readonly top: number
  readonly height: number
}) {
  return (
    <svg aria-hidden="true" width={`${left - 2}%`} y={top} height={height}>
      <text y={height - 6}>{name}</text>
    </svg>
  )
}
