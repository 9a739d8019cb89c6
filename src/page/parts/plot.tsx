import type { ComponentChildren } from 'preact'

/** Ends of an axis. */
export type Range = { readonly min: number; readonly max: number }

/** Values that an axis names, with what they are called. */
export type Ticks = readonly (readonly [value: number, shows: string])[]

/** Per cent of the width at which the plot begins, left of it the names, and that it takes. */
export const left = 30
const width = 67

type PlotProps = {
  id: string
  label: string
  /** Of what is drawn, in CSS pixels. */
  height: number
  range: Range
  ticks: Ticks
  /** Draws, told where a value stands along the width. */
  children(scale: (value: number) => string): ComponentChildren
}

/**
 * A drawing as wide as its place, in colours of the style sheet, with an axis below it. Tables must say the same to those who
 * cannot see it.
 */
export function Plot({ id, label, height, range: { min, max }, ticks, children }: PlotProps) {
  const scale = (value: number): string => `${left + (width * (value - min)) / (max - min || 1)}%`
  return (
    <svg id={id} class="plot" role="img" aria-label={label} width="100%" height={height + 24}>
      {ticks.map(([value, shows]) => (
        <g>
          <line x1={scale(value)} x2={scale(value)} y1="0" y2={height} />
          <text x={scale(value)} y={height + 18} text-anchor={value === max ? 'end' : 'middle'}>
            {shows}
          </text>
        </g>
      ))}
      {children(scale)}
    </svg>
  )
}
