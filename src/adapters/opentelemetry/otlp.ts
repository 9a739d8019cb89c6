import { getNumberFromEnv, getStringFromEnv, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base'

/**
 * Sends by OTLP over HTTP, as JSON. Address, headers, time limits, compression, batches and sampling are read by the SDK from the variables
 * `OTEL_*`. Nothing waits for what is sent: who does not take it loses it.
 *
 * @param onFault - hears once why nothing can be sent
 */
export function otlpExporters(onFault: (message: string) => void): {
  readonly spanProcessors: readonly SpanProcessor[]
  readonly metricReaders: readonly MetricReader[]
} {
  let isReported = false
  setGlobalErrorHandler((error) => {
    if (!isReported) onFault(`OTLP: ${error instanceof Error ? error.message : 'nothing could be sent'}`)
    isReported = true
  })
  const isOff = (variable: string): boolean => getStringFromEnv(variable) === 'none'
  return {
    spanProcessors: isOff('OTEL_TRACES_EXPORTER') ? [] : [new BatchSpanProcessor(new OTLPTraceExporter())],
    metricReaders: isOff('OTEL_METRICS_EXPORTER')
      ? []
      : [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(),
            ...milliseconds('exportIntervalMillis', 'OTEL_METRIC_EXPORT_INTERVAL'),
            ...milliseconds('exportTimeoutMillis', 'OTEL_METRIC_EXPORT_TIMEOUT'),
          }),
        ],
  }
}

function milliseconds<Name extends string>(option: Name, variable: string): { [name in Name]?: number } {
  const value = getNumberFromEnv(variable)
  return (value === undefined ? {} : { [option]: value }) as { [name in Name]?: number }
}
