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
import type { Comparison } from '../../evaluation/evaluation-run.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { Choice } from '../parts/controls.tsx'
import { left, Plot, type Range, type Ticks } from '../parts/plot.tsx'
import { type PageColumn, Table } from '../parts/table.tsx'
import { estimates, figure, Section } from './show.tsx'

type Props = { facts: ReportFacts }

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
function measureTicks({ min, max }: Range): Ticks {
  const steps = Math.round((max - min) * 10)
  const every = Math.max(1, Math.ceil(steps / 5))
  return Array.from({ length: Math.floor(steps / every) + 1 }, (_, at) => {
    const value = min + (at * every) / 10
    return [value, String(Math.round(100 * value))]
  })
}

/** A row of a chart: what it says in words, its bars from end to end, one below the other, and a point on the first. */
type ChartRow = {
  name: string
  says: string
  bars: readonly (readonly [kind: string, from: number, to: number])[]
  point?: number
}

type ByPartProps = Props & { id: string; label: string; rowsOf(measure: string): readonly ChartRow[] }

/** A row for every part, of the measure that the reader chooses. */
function ByPart({ facts: { run, titles }, id, label, rowsOf }: ByPartProps) {
  const [measure, choose] = useState(headlineOf(run))
  const rows = rowsOf(measure)
  const range = nearRange(rows.flatMap(({ bars }) => bars.flatMap(([, ...ends]) => ends)))
  const height = 10 + 12 * (rows[0]?.bars.length ?? 0)
  const options = run.measures.map((one) => [one, titles[one] ?? one] as const)
  return (
    <>
      <Choice title="Measure" name={`${id}-measure`} value={measure} options={options} choose={choose} />
      <Plot
        id={`${id}-chart`}
        label={label}
        height={rows.length * height}
        range={range}
        ticks={measureTicks(range)}
      >
        {(scale) =>
          rows.map(({ name, says, bars, point }, at) => (
            <g>
              <title>{`${name}: ${says}`}</title>
              <svg aria-hidden="true" width={`${left - 2}%`} y={at * height} height={height}>
                <text y={height / 2 + 5}>{name}</text>
              </svg>
              {bars.map(([kind, from, to], bar) => {
                const y = at * height + 11 + 12 * bar
                return <line class={kind} x1={scale(from)} x2={scale(to)} y1={y} y2={y} />
              })}
              {point !== undefined && <circle class="run" cx={scale(point)} cy={at * height + 11} r="4" />}
            </g>
          ))
        }
      </Plot>
    </>
  )
}

/** Means of parts with their intervals: a bar from the low end to the high end, and a point at the mean. */
export function Intervals({ facts }: Props) {
  const { parts, macro } = facts.run
  const whole = parts.length > 1 ? [{ name: 'all parts', estimates: macro }] : []
  const rowsOf = (measure: string) => {
    const ranked = parts.toSorted(
      (a, b) => (b.estimates[measure]?.mean ?? 0) - (a.estimates[measure]?.mean ?? 0),
    )
    return [...whole, ...ranked].flatMap(({ name, estimates }): ChartRow[] => {
      const estimate = estimates[measure]
      if (!estimate?.queries) return []
      const { mean, low, high, queries } = estimate
      const says = `${perCent(mean)} ${interval(estimate)}, ${queries} queries`
      return [{ name, says, bars: [['interval', low, high]], point: mean }]
    })
  }
  return (
    <Section id="intervals" title="Intervals">
      <p class="note">
        Mean of every part with its 95% bootstrap interval, best first. Parts with few queries have wide
        intervals.
      </p>
      <ByPart
        facts={facts}
        id="interval"
        label="Mean and 95% interval of every part; the table Parts has the numbers"
        rowsOf={rowsOf}
      />
    </Section>
  )
}

/** This run and the baseline, side by side for each part, over the queries that both have, the largest gain first. */
export function Bars({ facts, comparison }: Props & { comparison: Comparison }) {
  const rowsOf = (measure: string) =>
    comparison.rows
      .filter((row) => row.measure === measure && row.part !== wholeRow)
      .sort((a, b) => b.candidate - b.baseline - (a.candidate - a.baseline))
      .map(({ part, candidate: now, baseline: before }): ChartRow => {
        const says = `${perCent(now)}, baseline ${perCent(before)}, difference ${signed(now - before)}`
        return {
          name: part,
          says,
          bars: [
            ['bar run', 0, now],
            ['bar baseline', 0, before],
          ],
        }
      })
  return (
    <Section id="bars" title="Part by part">
      <p class="note">
        <span class="key run" /> This run beside <span class="key baseline" /> {comparison.baseline}, over the
        queries that both have, the largest gain first.
      </p>
      <ByPart
        facts={facts}
        id="bar"
        label="Means of every part in this run and in the baseline; the table Comparison has the numbers"
        rowsOf={rowsOf}
      />
    </Section>
  )
}

const roles = { run: 'this run', baseline: 'baseline', other: 'another run' } as const

type Percentile = 'p50' | 'p95' | 'p99'

const percentiles: readonly (readonly [Percentile, string])[] = [
  ['p50', 'median'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
]

const height = 300

/** Powers of ten and their doubles and halves between two times. */
const timeTicks = (low: number, high: number): Ticks =>
  Array.from({ length: 24 }, (_, at) => [1, 2, 5][at % 3]! * 10 ** (Math.floor(at / 3) - 3))
    .filter((time) => time >= low && time <= high)
    .map((time) => [Math.log10(time), `${threeDigits(time)} ms`])

type ScatterProps = { points: ReportFacts['points']; percentile: Percentile; title: string }

/** Values of a measure upwards, times to the right, which grow by factors. */
function Scatter({ points, percentile, title }: ScatterProps) {
  const times = points.map((point) => Math.max(point[percentile], 0.001))
  const [first, last] = [Math.min(...times) / 2, Math.max(...times) * 2]
  const { min, max } = nearRange(points.flatMap(({ low, high }) => [low, high]))
  const down = (value: number): number => (height * (max - value)) / (max - min)
  return (
    <Plot
      id="latency-chart"
      label={`${title} by search time of each run; the table below has the numbers`}
      height={height}
      range={{ min: Math.log10(first), max: Math.log10(last) }}
      ticks={timeTicks(first, last)}
    >
      {(scale) => [
        measureTicks({ min, max }).map(([value, shows]) => (
          <g>
            <line x1={`${left}%`} x2="97%" y1={down(value)} y2={down(value)} />
            <text x={`${left - 1}%`} y={down(value) + 4} text-anchor="end">
              {shows}
            </text>
          </g>
        )),
        points.map(({ role, name, mean, low, high }, at) => {
          const x = scale(Math.log10(times[at] ?? 1))
          return (
            <g class={role}>
              <title>{`${at + 1}. ${name}: ${perCent(mean)} in ${duration(times[at] ?? 0)}`}</title>
              <line class="whisker" x1={x} x2={x} y1={down(low)} y2={down(high)} />
              <circle cx={x} cy={down(mean)} r="6" />
              <text x={x} y={down(mean) - 8} dx="8">
                {at + 1}
              </text>
            </g>
          )
        }),
      ]}
    </Plot>
  )
}

/** Quality against time, for this run and those it is set beside. */
export function Latency({ facts: { points, run, titles } }: Props) {
  const [percentile, choose] = useState<string>('p50')
  const title = titles[headlineOf(run)] ?? ''
  const columns: readonly PageColumn<(typeof points)[number]>[] = [
    { title: 'Run', key: (point) => `${points.indexOf(point) + 1}. ${point.name}` },
    { title: 'Which', key: ({ role }) => roles[role] },
    estimates(title, (point) => point),
    figure('Median', ({ p50 }) => p50, duration),
    figure('p95', ({ p95 }) => p95, duration),
    figure('p99', ({ p99 }) => p99, duration),
  ]
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
        choose={choose}
      />
      {points.length > 0 && <Scatter points={points} percentile={percentile as Percentile} title={title} />}
      <Table caption="Quality and search time of each run" columns={columns} rows={points} />
    </Section>
  )
}
