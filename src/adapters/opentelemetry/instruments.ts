import type { Meter, Observable } from '@opentelemetry/api'
import { type Metric, type MetricName, metrics } from '../../watching/metrics.ts'
import type { Attributes } from '../../watching/watch.ts'

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
