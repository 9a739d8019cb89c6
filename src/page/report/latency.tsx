import { useState } from 'preact/hooks'
import { duration, interval, perCent, threeDigits } from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { headlineOf } from '../../evaluation/report/report-input.ts'
import { Choice } from '../parts/choice.tsx'
import { Plot } from '../parts/plot.tsx'
import { Table } from '../parts/table.tsx'
import { measureTicks, nearRange } from './charts.tsx'
import { number, Section, withBelow } from './show.tsx'

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
