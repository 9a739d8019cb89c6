import { useState } from 'preact/hooks'
import {
  duration,
  headlineOf,
  interval,
  perCent,
  signed,
  threeDigits,
} from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { Choice } from '../parts/controls.tsx'
import { Plot, type Range, RowName } from '../parts/plot.tsx'
import { Table } from '../parts/table.tsx'
import { number, Section, withBelow } from './show.tsx'

type Props = { readonly facts: ReportFacts }

const rowHeight = 22

/** Ends of an axis as near as makes values easy to tell apart, and not past what a measure can be. */
function nearRange(values: readonly number[]): Range {
  const low = Math.min(1, ...values)
  const high = Math.max(0, ...values)
  return {
    min: Math.max(low < 0 ? -1 : 0, Math.floor(low * 10 - 0.25) / 10),
    max: Math.min(1, Math.ceil(high * 10 + 0.25) / 10),
  }
}

/** Round values of a measure along an axis, in per cent. */
function measureTicks({ min, max }: Range): readonly (readonly [number, string])[] {
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

const roles = { run: 'this run', baseline: 'baseline', other: 'another run' } as const

const percentiles = [
  ['p50', 'median'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
] as const

const height = 300

/** Powers of ten and their doubles and halves between two times. */
const timeTicks = (low: number, high: number): readonly (readonly [number, string])[] =>
  Array.from({ length: 24 }, (_, at) => [1, 2, 5][at % 3]! * 10 ** (Math.floor(at / 3) - 3))
    .filter((time) => time >= low && time <= high)
    .map((time) => [Math.log10(time), `${threeDigits(time)} ms`])

/** Quality against time, which grows by factors, for this run and those it is set beside. */
export function Latency({ facts }: { readonly facts: ReportFacts }) {
  const [percentile, choose] = useState<(typeof percentiles)[number][0]>('p50')
  const { points } = facts
  const title = facts.titles[headlineOf(facts.run)] ?? ''
  const times = points.map((point) => Math.max(point[percentile], 0.001))
  const [first, last] = [Math.min(...times) / 2, Math.max(...times) * 2]
  const measured = nearRange(points.flatMap(({ low, high }) => [low, high]))
  const down = (value: number): number => (height * (measured.max - value)) / (measured.max - measured.min)
  return (
    <Section id="latency" title="Quality by latency">
      <p class="note">
        {title} (mean over parts) against search time per query. Up and to the left is better.
      </p>
      <Choice
        title="Search time"
        name="latency-percentile"
        value={percentile}
        options={percentiles}
        choose={(value) => choose(percentiles.find(([one]) => one === value)?.[0] ?? 'p50')}
      />
      {points.length > 0 && (
        <Plot
          id="latency-chart"
          label={`${title} by search time of each run; the table below has the numbers`}
          height={height}
          range={{ min: Math.log10(first), max: Math.log10(last) }}
          ticks={timeTicks(first, last)}
        >
          {(scale) => [
            measureTicks(measured).map(([value, shows]) => (
              <g>
                <line x1="30%" x2="97%" y1={down(value)} y2={down(value)} />
                <text x="29%" y={down(value) + 4} text-anchor="end">
                  {shows}
                </text>
              </g>
            )),
            points.map((point, at) => {
              const x = scale(Math.log10(times[at] ?? 1))
              return (
                <g class={point.role}>
                  <title>{`${at + 1}. ${point.name}: ${perCent(point.mean)} in ${duration(times[at] ?? 0)}`}</title>
                  <line class="whisker" x1={x} x2={x} y1={down(point.low)} y2={down(point.high)} />
                  <circle cx={x} cy={down(point.mean)} r="6" />
                  <text x={x} y={down(point.mean) - 8} dx="8">
                    {at + 1}
                  </text>
                </g>
              )
            }),
          ]}
        </Plot>
      )}
      <Table
        caption="Quality and search time of each run"
        columns={[{ title: 'Run' }, { title: 'Which' }, ...[title, 'Median', 'p95', 'p99'].map(number)]}
        rows={points.map((point, at) => [
          { shows: `${at + 1}. ${point.name}`, sort: at },
          { shows: roles[point.role] },
          { shows: withBelow(perCent(point.mean), interval(point)), sort: point.mean },
          ...percentiles.map(([one]) => ({ shows: duration(point[one]), sort: point[one] })),
        ])}
      />
    </Section>
  )
}
