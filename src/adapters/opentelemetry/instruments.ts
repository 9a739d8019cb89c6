import type { Meter, Observable } from '@opentelemetry/api'
import { type Metric, type MetricName, metrics } from '../../watching/metrics.ts'
import type { Attributes } from '../../watching/watch.ts'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import process from 'node:process'

/** The value of a gauge. */
export type Observed = {
  readonly metric: MetricName
  readonly value: number
  readonly attributes?: Attributes
}

/** Makes the instruments of the table. What they are split by is in the table too: nothing else gets into a series. */
export function instrumentsOf(
  meter: Meter,
  observe: () => Promise<readonly Observed[]>,
): { record(metric: MetricName, value: number, attributes?: Attributes): void } {
  const table = Object.entries(metrics) as unknown as readonly (readonly [MetricName, Metric])[]
  const recorders = new Map<MetricName, (value: number, attributes: Attributes) => void>()
  const gauges = new Map<MetricName, Observable>()
  for (const [name, { kind, unit, does, buckets }] of table) {
    const described = { unit, description: does }
    if (kind === 'gauge') gauges.set(name, meter.createObservableGauge(name, described))
    else if (kind === 'observedCounter') gauges.set(name, meter.createObservableCounter(name, described))
    else if (kind === 'histogram') {
      const advice = buckets === undefined ? {} : { advice: { explicitBucketBoundaries: [...buckets] } }
      const histogram = meter.createHistogram(name, { ...described, ...advice })
      recorders.set(name, (value, attributes) => histogram.record(value, attributes))
    } else {
      const counter =
        kind === 'counter' ? meter.createCounter(name, described) : meter.createUpDownCounter(name, described)
      recorders.set(name, (value, attributes) => counter.add(value, attributes))
    }
  }
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { metric, value, attributes = {} } of await observe()) {
        const gauge = gauges.get(metric)
        if (gauge !== undefined) result.observe(gauge, value, split(metric, attributes))
      }
    },
    [...gauges.values()],
  )
  return {
    record: (metric, value, attributes = {}) => recorders.get(metric)?.(value, split(metric, attributes)),
  }
}

const split = (metric: MetricName, attributes: Attributes): Attributes =>
  Object.fromEntries(
    metrics[metric].by.flatMap((name) => {
      const value = attributes[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Between two looks at the event loop, in milliseconds; what is measured is this and the delay. */
const resolution = 20

/** Of this process, since the last time it was asked. */
export function processGauges(): () => readonly Observed[] {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  let loop = performance.eventLoopUtilization()
  return () => {
    const { user, system } = process.cpuUsage()
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, loop)
    loop = now
    const [p50, p99] = [50, 99].map((at) =>
      delay.count === 0 ? 0 : Math.max(0, delay.percentile(at) / 1e9 - resolution / 1e3),
    )
    delay.reset()
    return [
      { metric: 'process.memory.usage', value: process.memoryUsage.rss() },
      { metric: 'process.cpu.time', value: user / 1e6, attributes: { 'cpu.mode': 'user' } },
      { metric: 'process.cpu.time', value: system / 1e6, attributes: { 'cpu.mode': 'system' } },
      { metric: 'process.uptime', value: process.uptime() },
      { metric: 'nodejs.eventloop.delay.p50', value: p50! },
      { metric: 'nodejs.eventloop.delay.p99', value: p99! },
      { metric: 'nodejs.eventloop.utilization', value: utilization },
    ]
  }
}
