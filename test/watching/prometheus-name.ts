import { type Metric, type MetricName, metrics } from '../../src/watching/metrics.ts'

const suffixes: { readonly [unit: string]: string } = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/** The name of a metric in Prometheus, as the specification of OpenTelemetry has it. */
export function prometheusName(name: MetricName): string {
  const { unit, kind }: Metric = metrics[name]
  const isCounter = kind === 'counter' || kind === 'observedCounter'
  return `${name.replaceAll('.', '_')}${suffixes[unit] ?? ''}${isCounter ? '_total' : ''}`
}

export const metricNames = Object.keys(metrics) as readonly MetricName[]
