import { onTestFinished, vi } from 'vitest'
import type { Audition } from '../../src/compose/audition.ts'
import { openWatching, type WatchingOptions } from '../../src/compose/watching/open-watching.ts'
import { watchedAudition } from '../../src/compose/watching/watched-audition.ts'
import { type OtlpReceiver, otlpReceiver } from '../fakes/otlp-receiver.ts'

/** The client's span in the examples of W3C. */
export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
export const clientSpan = '00f067aa0ba902b7'
export const traceparent = `00-${traceId}-${clientSpan}-01`

/** An app that is watched until the test has ended. */
export async function watchedApp(app: Audition, options: Partial<WatchingOptions> = {}) {
  const watching = await openWatching(app, { otlp: false, metrics: true, onFault: () => {}, ...options })
  onTestFinished(() => watching.close(0))
  return { app: watchedAudition(app), watching, metrics: watching.metricsText! }
}

/** The same, and what it sends by OTLP. */
export async function sendingApp(app: Audition, options: Partial<WatchingOptions> = {}) {
  const receiver: OtlpReceiver = await otlpReceiver()
  onTestFinished(() => receiver.close())
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.origin)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return { receiver, ...(await watchedApp(app, { otlp: true, ...options })) }
}
