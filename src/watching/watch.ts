import type { MetricName } from './metrics.ts'

/**
 * What is told of an operation, by the names of OpenTelemetry's conventions where there is one. Never a word of a request, a card's text or
 * an answer, and no secret.
 */
export type Attributes = { readonly [name: string]: string | number | boolean }

/** Headers of a trace, as W3C writes them. */
export type TraceHeaders = {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** Something that takes time: a span of a trace, whose seconds go to a metric. */
export type Operation = {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  readonly metric: MetricName
  readonly attributes: Attributes
  /** What the caller said of its own span, which is then the parent. @defaultValue the operation that this one is part of */
  readonly parent?: TraceHeaders
}

/** Adds what is known later; `error.type` says that the operation failed. */
export type Tell = (attributes: Attributes) => void

/** Whoever watches this process. */
export type Watcher = {
  /** Does the work at once, and watches it. What goes wrong in watching never reaches the work. */
  operation<T>(operation: Operation, work: (tell: Tell) => Promise<T>): Promise<T>
  /** Adds to a counter, or one more value to a histogram. */
  record(metric: MetricName, value: number, attributes?: Attributes): void
  /** One line of the log, where there is one. */
  log(level: 'info' | 'warn' | 'error', event: string, attributes?: Attributes): void
  /** The operation that runs now, for those whom it asks; nothing where none runs. */
  headers(): TraceHeaders
}

let watcher: Watcher | null = null

/** Has this process watched from now on, or no more. */
export function watchWith(next: Watcher | null): void {
  watcher = next
}

/** Whoever watches; null where nobody does, which is the rule. */
export const currentWatcher = (): Watcher | null => watcher

/** Does the work, watched where somebody watches. */
export const watched = <T>(operation: Operation, work: (tell: Tell) => Promise<T>): Promise<T> =>
  watcher === null ? work(ignored) : watcher.operation(operation, work)

const ignored: Tell = () => undefined

/** A word of few for what went wrong: the error's class or code, never its message. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  if (error.name === 'AbortError') return 'cancelled'
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code) ? code : error.name
}
