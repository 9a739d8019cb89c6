import type { LogLine, OpenWatcher } from '../../adapters/opentelemetry/open-watcher.ts'
import type { Observed } from '../../adapters/opentelemetry/instruments.ts'
import { packageVersion } from '../../package-version.ts'
import { isQuarantined } from '../../store/source-review.ts'
import { watchWith } from '../../watching/watch.ts'
import type { Audition } from '../audition.ts'

/** What of a process is watched, and who is told. */
export type WatchingOptions = {
  /** Whether spans and metrics are sent by OTLP. */
  readonly otlp: boolean
  /** Whether metrics can be asked for. */
  readonly metrics: boolean
  /** Gets the log, an event a line. @defaultValue nobody */
  readonly onLine?: (line: LogLine) => void
  /** Hears once why nothing can be sent. */
  readonly onFault: (message: string) => void
}

/** What watches this process until it is closed. */
export type Watching = Pick<OpenWatcher, 'metricsText' | 'log' | 'close'>

/** Has this process watched. OpenTelemetry's packages are loaded now, and by nobody who does not come here. */
export async function openWatching(app: Audition, options: WatchingOptions): Promise<Watching> {
  const [{ openWatcher }, { processGauges }] = await Promise.all([
    import('../../adapters/opentelemetry/open-watcher.ts'),
    import('../../adapters/opentelemetry/instruments.ts'),
  ])
  const [ofIndex, ofProcess] = [indexGauges(app), processGauges()]
  const watcher = await openWatcher({
    version: packageVersion(),
    otlp: options.otlp,
    prometheus: options.metrics,
    observe: async () => [...ofProcess(), ...(await ofIndex())],
    onFault: options.onFault,
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  })
  watchWith(watcher)
  return {
    metricsText: watcher.metricsText,
    log: watcher.log,
    async close(withinMs) {
      watchWith(null)
      await watcher.close(withinMs)
    },
  }
}

/** How the index is; what has to be asked of the store is asked once for each commit. Nothing where nothing is indexed, or readable. */
function indexGauges(app: Audition): () => Promise<readonly Observed[]> {
  let known:
    | { readonly generation: number; readonly gauges: readonly Observed[]; readonly readAt: number }
    | undefined
  const read = async (generation: number) => {
    const [sources, reviews] = await Promise.all([app.sources(), app.reviews()])
    const times = sources.map(({ indexedAt }) => Date.parse(indexedAt ?? '')).filter((time) => time > 0)
    const held = reviews.flatMap((review) => review.held)
    const quarantined = held.filter(isQuarantined).length
    const heldFor = (why: string, value: number): Observed => ({
      metric: 'audition.index.held',
      value,
      attributes: { 'audition.held': why },
    })
    const gauges: readonly Observed[] = [
      { metric: 'audition.index.sources', value: sources.length },
      heldFor('quarantined', quarantined),
      heldFor('changed', held.length - quarantined),
    ]
    return { generation, gauges, readAt: Math.max(...times, 0) }
  }
  return async () => {
    try {
      const { tools, agents, generation } = await app.counts()
      if (known?.generation !== generation) known = await read(generation)
      return [
        { metric: 'audition.index.cards', value: tools, attributes: { 'audition.search.kind': 'tool' } },
        { metric: 'audition.index.cards', value: agents, attributes: { 'audition.search.kind': 'agent' } },
        { metric: 'audition.index.generation', value: generation },
        ...(known.readAt === 0
          ? []
          : [{ metric: 'audition.index.age', value: (Date.now() - known.readAt) / 1e3 } as const]),
        ...known.gauges,
        ...(await storeGauges(app)),
      ]
    } catch {
      return [] // `/ready` says so, and every search
    }
  }
}

async function storeGauges(app: Audition): Promise<readonly Observed[]> {
  const age = await app.storeAge()
  return age === null
    ? []
    : [{ metric: 'audition.store.seen', value: (Date.now() - age.seen.getTime()) / 1e3 }]
}
