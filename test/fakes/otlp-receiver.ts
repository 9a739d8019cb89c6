import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onLoopback } from './on-loopback.ts'

type Value = {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
}
type Attribute = { readonly key: string; readonly value: Value }

type RawSpan = Omit<ReceivedSpan, 'attributes'> & { readonly attributes: readonly Attribute[] }
type Points = { readonly dataPoints: readonly { readonly attributes: readonly Attribute[] }[] }
type RawMetric = {
  readonly name: string
  readonly histogram?: Points
  readonly sum?: Points
  readonly gauge?: Points
}
/** A body of either kind. */
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[]
  }[]
}

/** A span as it came, with its attributes as an object. */
export type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  /** 2 is an error. */
  readonly status: { readonly code?: number; readonly message?: string }
  readonly attributes: { readonly [name: string]: string | number }
}

/** A collector of OTLP over HTTP, as JSON. */
export type OtlpReceiver = {
  readonly origin: string
  /** Bodies as they came, in order. */
  readonly bodies: readonly string[]
  readonly headers: readonly IncomingHttpHeaders[]
  /** Requests that were not answered and whose connection is open. */
  waiting(): number
  spans(): readonly ReceivedSpan[]
  resource(): { readonly [name: string]: string | number }
  /** Names of metrics with the attributes of their points. */
  points(): readonly {
    readonly name: string
    readonly attributes: { readonly [name: string]: string | number }
  }[]
  close(): Promise<void>
}

/** @param answer - what becomes of a request: accepted, refused, or left without an answer */
export async function otlpReceiver(
  answer: 'accepts' | 'refuses' | 'hangs' = 'accepts',
): Promise<OtlpReceiver> {
  const received: { readonly path: string; readonly body: string; readonly headers: IncomingHttpHeaders }[] =
    []
  const open = new Set<ServerResponse>()
  const { origin, close } = await onLoopback(
    createServer(async (request, response) => {
      open.add(response)
      response.once('close', () => open.delete(response))
      received.push({ path: request.url ?? '', body: await text(request), headers: request.headers })
      if (answer === 'accepts') response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      if (answer === 'refuses') response.writeHead(503).end()
    }),
  )
  const sentTo = (path: string): readonly Sent[] =>
    received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
  return {
    origin,
    get bodies() {
      return received.map(({ body }) => body)
    },
    get headers() {
      return received.map(({ headers }) => headers)
    },
    waiting: () => open.size,
    spans: () =>
      sentTo('/v1/traces')
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: objectOf(span.attributes) })),
    resource: () => objectOf(sentTo('/v1/traces')[0]?.resourceSpans[0]?.resource.attributes ?? []),
    points: () =>
      sentTo('/v1/metrics')
        .flatMap(({ resourceMetrics }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics)
        .flatMap(({ name, histogram, sum, gauge }) =>
          [histogram, sum, gauge]
            .flatMap((points) => points?.dataPoints ?? [])
            .map(({ attributes }) => ({
              name,
              attributes: objectOf(attributes),
            })),
        ),
    close,
  }
}

const objectOf = (attributes: readonly Attribute[]): { readonly [name: string]: string | number } =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value.doubleValue! : Number(value.intValue)),
    ]),
  )
