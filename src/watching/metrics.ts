/** A metric: what `/metrics` and OTLP tell, and by which attributes it is split. */
export type Metric = {
  readonly kind: 'histogram' | 'counter' | 'upDownCounter' | 'gauge' | 'observedCounter'
  /** UCUM, as OpenTelemetry writes it. */
  readonly unit: 's' | 'By' | '1' | `{${string}}`
  readonly does: string
  /** Attributes that it is split by. Each has few values, whatever callers send: never an id, a caller or a text. */
  readonly by: readonly string[]
  readonly buckets?: readonly number[]
}

/** Of a histogram in seconds, as the conventions for MCP say. */
const mcpSeconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
/** As the conventions for language models say. */
const modelSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const modelTokens = [
  1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
]
/** As the conventions for HTTP say. */
const httpSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const searchSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const outcome = 'audition.outcome'

/**
 * All that is measured. Names that do not begin with `audition.` are those of OpenTelemetry's semantic conventions.
 *
 * @see https://github.com/open-telemetry/semantic-conventions-genai for `mcp.*` and `gen_ai.*`
 */
export const metrics = {
  'mcp.server.operation.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'Requests of MCP, from their arrival to their answer.',
    by: [
      'mcp.method.name',
      'gen_ai.operation.name',
      'gen_ai.tool.name',
      'error.type',
      'rpc.response.status_code',
      'network.transport',
      'mcp.protocol.version',
    ],
    buckets: mcpSeconds,
  },
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'HTTP requests; what is turned away has a status from 400 on.',
    by: ['http.request.method', 'http.route', 'http.response.status_code', 'url.scheme'],
    buckets: httpSeconds,
  },
  'http.server.active_requests': {
    kind: 'upDownCounter',
    unit: '{request}',
    does: 'HTTP requests that are open.',
    by: ['http.request.method', 'url.scheme'],
  },
  'audition.search.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'Searches, by what was searched and how sure the answer is.',
    by: ['audition.search.kind', 'audition.search.match', 'error.type'],
    buckets: searchSeconds,
  },
  'audition.search.candidates': {
    kind: 'histogram',
    unit: '{candidate}',
    does: 'Candidates in an answer.',
    by: ['audition.search.kind'],
    buckets: [0, 1, 3, 5, 10, 20, 50, 100],
  },
  'audition.call.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'Tools called and agents run through Audition, by what came of it.',
    by: ['audition.call.kind', outcome, 'error.type'],
    buckets: mcpSeconds,
  },
  'audition.probe.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'Probes and auditions, by what ended them.',
    by: [outcome, 'error.type'],
    buckets: mcpSeconds,
  },
  'audition.probe.runs': {
    kind: 'counter',
    unit: '{run}',
    does: 'Runs of candidates in probes: worked (grade 4 or 5), did-not-work, failed or not-graded.',
    by: [outcome],
  },
  'audition.index.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'Index runs of this process.',
    by: [outcome, 'error.type'],
    buckets: mcpSeconds,
  },
  'audition.index.changes': {
    kind: 'counter',
    unit: '{card}',
    does: 'Cards that index runs of this process added, changed or removed.',
    by: ['audition.change'],
  },
  'audition.index.cards': {
    kind: 'gauge',
    unit: '{card}',
    does: 'Cards in search.',
    by: ['audition.search.kind'],
  },
  'audition.index.held': {
    kind: 'gauge',
    unit: '{card}',
    does: 'Cards that are held until a person decides: for what the scan found (quarantined), or for a change.',
    by: ['audition.held'],
  },
  'audition.index.sources': { kind: 'gauge', unit: '{source}', does: 'Sources of the index.', by: [] },
  'audition.index.generation': {
    kind: 'gauge',
    unit: '{commit}',
    does: 'The commit that this process searches.',
    by: [],
  },
  'audition.index.age': {
    kind: 'gauge',
    unit: 's',
    does: 'Time since a source of that commit was last read.',
    by: [],
  },
  'audition.store.seen': {
    kind: 'gauge',
    unit: 's',
    does: 'Time since object storage last said which commit is newest; searches go on while it says nothing.',
    by: [],
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    does: 'Requests to language models.',
    by: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
    buckets: modelSeconds,
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    does: 'Tokens of a request to a language model.',
    by: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'gen_ai.token.type'],
    buckets: modelTokens,
  },
  'audition.model.cost': {
    kind: 'counter',
    unit: '{USD}',
    does: 'What probes and runs cost, where the prices of their models are known.',
    by: [],
  },
  'process.memory.usage': { kind: 'gauge', unit: 'By', does: 'Resident memory.', by: [] },
  'process.cpu.time': {
    kind: 'observedCounter',
    unit: 's',
    does: 'Processor time since the start.',
    by: ['cpu.mode'],
  },
  'process.uptime': { kind: 'gauge', unit: 's', does: 'Time since the start.', by: [] },
  'nodejs.eventloop.delay.p50': {
    kind: 'gauge',
    unit: 's',
    does: 'Delay of the event loop since it was last asked for, median.',
    by: [],
  },
  'nodejs.eventloop.delay.p99': { kind: 'gauge', unit: 's', does: 'Likewise, 99th percentile.', by: [] },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    unit: '1',
    does: 'Share of the time since it was last asked for in which the event loop was busy.',
    by: [],
  },
} as const satisfies { readonly [name: string]: Metric }

export type MetricName = keyof typeof metrics
