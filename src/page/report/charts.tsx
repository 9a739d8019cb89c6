import { useState } from 'preact/hooks'
import { interval, perCent, signed } from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { headlineOf } from '../../evaluation/report/report-input.ts'
import { Choice } from '../parts/choice.tsx'
import { Plot, type Range, RowName } from '../parts/plot.tsx'
import { Section } from './show.tsx'

type Props = { readonly facts: ReportFacts }

const rowHeight = 22

/** Ends of an axis as near as makes values easy to tell apart, and not past what a measure can be. */
export function nearRange(values: readonly number[]): Range {
  const low = Math.min(1, ...values)
  const high = Math.max(0, ...values)
  return {
    min: Math.max(low < 0 ? -1 : 0, Math.floor(low * 10 - 0.25) / 10),
    max: Math.min(1, Math.ceil(high * 10 + 0.25) / 10),
  }
}

/** Round values of a measure along an axis, in per cent. */
export function measureTicks({ min, max }: Range): readonly (readonly [number, string])[] {
  const steps = Math.round((max - min) * 10)
  const every = Math.max(1, Math.ceil(steps / 5))
  return Array.from({ length: Math.floor(steps / every) + 1 }, (_, at) => {
    const value = min + (at * every) / 10
    return [value, String(Math.round(100 * value))]
  })
}

/** A choice of the measure that a chart shows. */
function useMeasure({ run, titles }: ReportFacts, name: string) {
  const [measure, choose] = useState(headlineOf(run))
  const options = run.measures.map((one) => [one, titles[one] ?? one] as const)
  const choice = <Choice title="Measure" name={name} value={measure} options={options} choose={choose} />
  return { measure, choice }
}

/** Means of parts with their intervals: a bar from the low end to the high end, and a point at the mean. */
export function Intervals({ facts }: Props) {
  const { measure, choice } = useMeasure(facts, 'interval-measure')
  const parts = facts.parts.toSorted(
    (a, b) => (b.estimates[measure]?.mean ?? 0) - (a.estimates[measure]?.mean ?? 0),
  )
  const rows = [...(parts.length > 1 ? [facts.whole] : []), ...parts].flatMap(({ name, estimates }) => {
    const estimate = estimates[measure]
    return estimate === undefined || estimate.queries === 0 ? [] : [{ name, ...estimate }]
  })
  const range = nearRange(rows.flatMap(({ low, high }) => [low, high]))
  return (
    <Section id="intervals" title="Intervals">
      <p class="note">
        Mean of every part with its 95% bootstrap interval, best first. Parts with few queries have wide
        intervals.
      </p>
      {choice}
      <Plot
        id="interval-chart"
        label="Mean and 95% interval of every part; the table Parts has the numbers"
        height={rows.length * rowHeight}
        range={range}
        ticks={measureTicks(range)}
      >
        {(scale) =>
          rows.map((row, at) => {
            const middle = (at + 0.5) * rowHeight
            return (
              <g>
                <title>{`${row.name}: ${perCent(row.mean)} ${interval(row)}, ${row.queries} queries`}</title>
                <RowName name={row.name} top={at * rowHeight} height={rowHeight} />
                <line class="interval" x1={scale(row.low)} x2={scale(row.high)} y1={middle} y2={middle} />
                <circle class="run" cx={scale(row.mean)} cy={middle} r="4" />
              </g>
            )
          })
        }
      </Plot>
    </Section>
  )
}

/** This run and the baseline, side by side for each part, over the queries that both have, the largest gain first. */
export function Bars({ facts, baseline }: Props & { readonly baseline: string }) {
  const { measure, choice } = useMeasure(facts, 'bar-measure')
  const rows = facts.parts
    .flatMap(({ name, pairs }) => {
      const [before, now] = pairs[measure] ?? []
      return before === undefined || now === undefined ? [] : [{ name, before, now }]
    })
    .sort((a, b) => b.now - b.before - (a.now - a.before))
  const values = rows.flatMap(({ now, before }) => [now, before])
  const range = { min: Math.min(0, ...values), max: 1 }
  const height = 1.5 * rowHeight
  return (
    <Section id="bars" title="Part by part">
      <p class="note">
        <span class="key run" /> This run beside <span class="key baseline" /> {baseline}, over the queries
        that both have, the largest gain first.
      </p>
      {choice}
      <Plot
        id="bar-chart"
        label="Means of every part in this run and in the baseline; the table Comparison has the numbers"
        height={rows.length * height}
        range={range}
        ticks={measureTicks(range)}
      >
        {(scale) =>
          rows.map(({ name, before, now }, at) => (
            <g>
              <title>{`${name}: ${perCent(now)}, baseline ${perCent(before)}, difference ${signed(now - before)}`}</title>
              <RowName name={name} top={at * height} height={rowHeight} />
              <line class="bar run" x1={scale(0)} x2={scale(now)} y1={at * height + 9} y2={at * height + 9} />
              <line
                class="bar baseline"
                x1={scale(0)}
                x2={scale(before)}
                y1={at * height + 21}
                y2={at * height + 21}
              />
            </g>
          ))
        }
      </Plot>
    </Section>
  )
}
