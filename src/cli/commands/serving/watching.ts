import { formatWithOptions } from 'node:util'
import type { Audition } from '../../../compose/audition.ts'
import { choice, flag, type Flags, textOr } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

/** What tells others how a server does. */
export const watchingOptions = {
  otlp: flag(
    '--otlp',
    'send traces and metrics by OTLP over HTTP; OTEL_EXPORTER_OTLP_ENDPOINT and its like say where',
  ),
  metrics: textOr(
    '--metrics [address]',
    'with --http: metrics for Prometheus at /metrics; given an address such as 0.0.0.0:9464, there alone and without a token',
  ),
  logFormat: choice('--log-format <format>', 'how the log is written to standard error (default: text)', [
    'text',
    'json',
  ]),
}

type WatchingFlags = Flags<typeof watchingOptions>

/** A server that tells others how it does. */
type Watched = {
  readonly audition: Audition
  /** Has one more Audition watched. */
  also(app: Audition): Audition
  /** Where metrics are told by the server itself; null where they are not. */
  readonly metrics: (() => Promise<string>) | null
  /** Writes a line for whoever runs the server. */
  log(line: string): void
  /** Sends what is left. What does not take it, is not waited for. */
  close(): Promise<void>
}

/** What is watched. */
type Watchable = {
  readonly audition: Audition
  /** How it is, for `/ready`. @defaultValue how its index is */
  readonly ready?: () => Promise<object>
}

/** Milliseconds that what is left to be sent may take when a server ends. */
const closeMs = 1_000

/** Has a server watched as far as the flags say; where they say nothing, nothing is loaded. */
export async function watch(
  flags: WatchingFlags,
  context: Context,
  {
    audition,
    ready = async () => (await import('../../../server/transport/watched-http.ts')).howReady(audition),
  }: Watchable,
): Promise<Watched> {
  const isJson = flags.logFormat === 'json'
  if (!flags.otlp && flags.metrics === undefined && !isJson)
    return {
      audition,
      also: (app) => app,
      metrics: null,
      log: (line) => context.log(line),
      close: async () => {},
    }
  const address = addressOf(flags.metrics)
  const [{ openWatching }, { watchedAudition }] = await Promise.all([
    import('../../../compose/watching/open-watching.ts'),
    import('../../../compose/watching/watched-audition.ts'),
  ])
  const isOff = context.env.OTEL_SDK_DISABLED?.toLowerCase() === 'true'
  const watching = await openWatching(audition, {
    otlp: flags.otlp && !isOff,
    metrics: flags.metrics !== undefined,
    onFault: (message) => console.error(`audition: ${message}`),
    ...(isJson
      ? { onLine: (line) => context.log(JSON.stringify({ time: new Date().toISOString(), ...line })) }
      : {}),
  })
  if (isJson)
    console.error = (...parts: unknown[]) =>
      watching.log('error', formatWithOptions({ colors: false }, ...parts))
  const watchedApp = watchedAudition(audition)
  const metrics = watching.metricsText
  const apart = address === null || metrics === null ? null : await servedApart(address, ready, metrics)
  return {
    audition: watchedApp,
    also: watchedAudition,
    metrics: apart === null ? metrics : null,
    log: (line) => (isJson ? watching.log('info', line) : context.log(line)),
    async close() {
      apart?.close()
      await watching.close(closeMs)
      if (flags.otlp) setTimeout(() => process.exit(), closeMs).unref() // what is still being sent would keep the process
    },
  }
}

async function servedApart(address: Address, ready: () => Promise<object>, metrics: () => Promise<string>) {
  const { serveMetrics } = await import('../../../server/transport/watched-http.ts')
  return serveMetrics(address, { metrics, ready })
}

type Address = { readonly host: string; readonly port: number }

/** @throws UsageError when it is no address */
function addressOf(given: string | undefined): Address | null {
  if (given === undefined || given === '') return null
  const colon = given.lastIndexOf(':')
  const host = given.slice(0, Math.max(0, colon)).replace(/^\[|\]$/g, '')
  const port = Number(given.slice(colon + 1))
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && given.length > colon + 1)
    return { host: host === '' ? '127.0.0.1' : host, port }
  throw new UsageError('--metrics wants an address such as 0.0.0.0:9464, or 9464 for this machine alone.')
}
