import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, type MetricReader, type MetricData } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  errorType,
  type Operation,
  type Tell,
  type TraceHeaders,
  type Watcher,
} from '../../watching/watch.ts'
import { instrumentsOf, type Observed } from './instruments.ts'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'

/** A line of the log. */
export type LogLine = {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
} & { readonly [field: string]: string | number | boolean }

/** What is watched, and who is told. */
export type WatcherOptions = {
  /** Our version. */
  readonly version: string
  /** Whether spans and metrics are sent by OTLP; the variables `OTEL_*` say where and how. */
  readonly otlp: boolean
  /** Whether metrics can be asked for as a text of Prometheus. */
  readonly prometheus: boolean
  /** Gets a line for each request of MCP that ended, and for what is logged. @defaultValue nobody */
  readonly onLine?: (line: LogLine) => void
  /** Hears once why nothing can be sent. */
  readonly onFault: (message: string) => void
  /** What gauges show, each time they are asked for. */
  readonly observe: () => Promise<readonly Observed[]>
}

/** A watcher that can be asked and ended. */
export type OpenWatcher = Watcher & {
  /** Metrics as a text of Prometheus; null where nobody asked for them. */
  readonly metricsText: (() => Promise<string>) | null
  /** Sends what is left, for so many milliseconds at most. Never fails. */
  close(withinMs: number): Promise<void>
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
const propagator = new CompositePropagator({
  propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
})
const headerSetter = {
  set: (carrier: Record<string, string>, key: string, value: string) => {
    carrier[key] = value
  },
}
const headerGetter = {
  keys: (carrier: TraceHeaders) => Object.keys(carrier),
  get: (carrier: TraceHeaders, key: string) => carrier[key as keyof TraceHeaders],
}

/** Watches by OpenTelemetry's SDK. Nothing is registered for the whole process: two watchers know nothing of one another. */
export async function openWatcher(options: WatcherOptions): Promise<OpenWatcher> {
  const { version, onLine } = options
  const resource = resourceOf(version)
  const { spanProcessors, metricReaders } = await exportersOf(options)
  const prometheus = options.prometheus ? prometheusReader() : null
  const traces = new BasicTracerProvider({ resource, spanProcessors: [...spanProcessors] })
  const readers = [...metricReaders, ...(prometheus === null ? [] : [prometheus.reader])]
  const meters = new MeterProvider({ resource, readers })
  const tracer = traces.getTracer('audition', version)
  const instruments = instrumentsOf(meters.getMeter('audition', version), options.observe)
  const running = new AsyncLocalStorage<Context>()

  return {
    operation({ name, kind, metric, attributes, parent }, work) {
      const within = running.getStore() ?? ROOT_CONTEXT
      const context = parent === undefined ? within : propagator.extract(within, parent, headerGetter)
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context)
      const recorder = tellingOf(span, attributes)
      const began = performance.now()
      const end = (): void => {
        const seconds = (performance.now() - began) / 1_000
        span.end()
        instruments.record(metric, seconds, recorder.all())
        if (kind === 'server') onLine?.(lineOf({ name, span, seconds }, recorder.all()))
      }
      return running
        .run(trace.setSpan(context, span), async () => {
          try {
            return await work(recorder.tell)
          } catch (error) {
            recorder.tell({ 'error.type': errorType(error) })
            throw error
          }
        })
        .finally(end)
    },
    record: instruments.record,
    log(level, event, attributes = {}) {
      const span = trace.getSpan(running.getStore() ?? ROOT_CONTEXT)
      onLine?.({ level, event, ...(span === undefined ? {} : idsOf(span)), ...attributes } as LogLine)
    },
    headers() {
      const carrier: Record<string, string> = {}
      const context = running.getStore()
      if (context !== undefined) propagator.inject(context, carrier, headerSetter)
      return carrier
    },
    metricsText: prometheus === null ? null : prometheus.text,
    async close(withinMs) {
      const closing = Promise.allSettled([traces.shutdown(), meters.shutdown()])
      const patience = new AbortController()
      const { signal } = patience
      const { setTimeout: wait } = await import('node:timers/promises')
      await Promise.race([closing, wait(withinMs, undefined, { signal }).catch(() => undefined)])
      patience.abort()
    },
  }
}

type Exporters = {
  readonly spanProcessors: readonly SpanProcessor[]
  readonly metricReaders: readonly MetricReader[]
}

async function exportersOf({ otlp, onFault }: WatcherOptions): Promise<Exporters> {
  if (!otlp) return { spanProcessors: [], metricReaders: [] }
  const { otlpExporters } = await import('./otlp.ts')
  return otlpExporters(onFault)
}

/** What the user says of this process in `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, over what we know. */
const resourceOf = (version: string): Resource =>
  resourceFromAttributes({
    'service.name': 'audition',
    'service.version': version,
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }))

/** What is told of an operation, on its span at once and for its metric in the end. */
function tellingOf(span: Span, first: Attributes): { readonly tell: Tell; readonly all: () => Attributes } {
  let all = first
  return {
    all: () => all,
    tell(attributes) {
      all = { ...all, ...attributes }
      span.setAttributes(attributes)
      if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
}

const idsOf = (span: Span): { readonly trace_id: string; readonly span_id: string } => {
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

function lineOf(
  { name, span, seconds }: Pick<Operation, 'name'> & { readonly span: Span; readonly seconds: number },
  { 'jsonrpc.request.id': request, ...attributes }: Attributes,
): LogLine {
  return {
    level: 'error.type' in attributes ? 'warn' : 'info',
    event: name,
    ...idsOf(span),
    ...(request === undefined ? {} : { request_id: request }),
    duration_ms: Math.round(seconds * 1e6) / 1e3,
    ...attributes,
  }
}

/** Longest wait for gauges, in milliseconds: a store that hangs costs its own gauges, and not the rest. */
const patienceMs = 5_000

/** What `/metrics` shows. No port is opened here. */
function prometheusReader(): { readonly reader: MetricReader; readonly text: () => Promise<string> } {
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
