import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { MetricData, MetricReader } from '@opentelemetry/sdk-metrics'

/** Longest wait for gauges, in milliseconds: a store that hangs costs its own gauges, and not the rest. */
const patienceMs = 5_000

/** What `/metrics` shows. No port is opened here. */
export function prometheusReader(): { readonly reader: MetricReader; readonly text: () => Promise<string> } {
  const reader = new PrometheusExporter({ preventServerStart: true })
  const serializer = new PrometheusSerializer('', false, undefined, false, true)
  return {
    reader,
    async text() {
      const { resourceMetrics } = await reader.collect({ timeoutMillis: patienceMs })
      const scopeMetrics = resourceMetrics.scopeMetrics.map((scope) => ({
        ...scope,
        metrics: scope.metrics.map(withUnit),
      }))
      return serializer.serialize({ ...resourceMetrics, scopeMetrics })
    },
  }
}

/** The unit in the name, as the specification has it for Prometheus; the package leaves it out. */
const suffixes: { readonly [unit: string]: string } = { s: 'seconds', By: 'bytes', '1': 'ratio' }

function withUnit(metric: MetricData): MetricData {
  const { descriptor } = metric
  const suffix = suffixes[descriptor.unit]
  const name = suffix === undefined ? descriptor.name : `${descriptor.name}_${suffix}`
  return { ...metric, descriptor: { ...descriptor, name, unit: '' } } as MetricData
}
