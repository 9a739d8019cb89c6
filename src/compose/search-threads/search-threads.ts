import { Worker } from 'node:worker_threads'
import type { RecordSignal, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { search, type SearchContext } from '../../retrieval/search.ts'
import type { Config } from '../../config.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import { type SharedIndex, sharedIndex } from '../../retrieval/index/catalog-image.ts'
import type { RankedCard } from '../../retrieval/rank/ranked-card.ts'
import type { RetrievalSettings } from '../../retrieval/retrieve.ts'
import type { SharedBytes } from '../../vectors/kernels/web-assembly.ts'
import { readWeights } from '../../vectors/weight-file.ts'
import type { ToWeigh } from '../../retrieval/record/weigh-search.ts'

/** Searches in this thread and in others, all of which read the same search images. */
type SearchThreads = {
  /** As {@link search}, in whichever thread has the least to do. Another thread starts when this one has a search already. */
  search(context: SearchContext, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  close(): Promise<void>
}

type Job = {
  readonly context: SearchContext
  readonly resolve: (answer: SearchAnswer) => void
  /** Makes the search in this thread. */
  readonly here: () => void
}

/** A thread, and the searches it has not answered. */
type Seat = {
  readonly worker: Worker
  readonly jobs: Map<number, Job>
  isReady: boolean
  catalog: CatalogSnapshot | null
}

/** Run from source the entry may be one that this Node does not take: then every search is made here. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)

/** A thread that has died so often is not started again. */
const mostDeaths = 3

/**
 * What a search makes is little and soon forgotten. By default a thread keeps much more of it than it needs; the smaller its heap may
 * become at most, the sooner it is swept. A thread uses some 50 MB, and many times that is still allowed.
 */
const memory = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 } as const

/** @param others - threads beside this one, started when they are needed; >= 0 */
export function searchThreads(config: ThreadStart['config'], others: number): SearchThreads {
  const seats = new Set<Seat>()
  let deaths = 0
  let here = 0
  let searches = 0

  const start = (): void => {
    const { model, cache, reader } = config
    const workerData: ThreadStart = { config: { model, cache, reader } }
    const worker = new Worker(entry, { workerData, execArgv: [], resourceLimits: memory })
    const seat: Seat = { worker, jobs: new Map(), isReady: false, catalog: null }
    seats.add(seat)
    worker.unref()
    worker.on('message', (message: FromThread) => hear(seat, message))
    worker.on('error', () => {}) // it ends, see below
    worker.on('exit', () => {
      seats.delete(seat)
      deaths += 1
      for (const job of seat.jobs.values()) job.here()
    })
  }

  const hear = (seat: Seat, message: FromThread): void => {
    if (message.kind === 'ready') {
      seat.isReady = true
      return
    }
    const job = seat.jobs.get(message.id)
    if (message.kind === 'ask') {
      const reply = (value: Answers[keyof Answers] | null): void =>
        tell(seat, { kind: 'reply', ask: message.ask, value })
      answered(job?.context, message.asked).then(reply, () => reply(null))
      return
    }
    seat.jobs.delete(message.id)
    if (seat.jobs.size === 0) seat.worker.unref()
    if (message.kind === 'answer') job?.resolve(message.answer)
    else job?.here()
  }

  const searchHere = async (
    context: SearchContext,
    request: SearchRequest,
    signal: AbortSignal | undefined,
  ): Promise<SearchAnswer> => {
    here += 1
    try {
      return await search(context, request, signal)
    } finally {
      here -= 1
    }
  }

  /** Every seat gets a new state at once: one that has nothing to do would hold on to the former. */
  const share = (snapshot: CatalogSnapshot): void => {
    for (const seat of seats) {
      if (!seat.isReady || seat.catalog === snapshot) continue
      seat.catalog = snapshot
      const { generation, embedding, indexes } = snapshot
      const images = { tool: sharedIndex(indexes.tool), agent: sharedIndex(indexes.agent) }
      tell(seat, { kind: 'catalog', catalog: { generation, embedding, images } })
    }
  }

  const searchThere = (
    seat: Seat,
    context: SearchContext,
    { request, signal }: { readonly request: SearchRequest; readonly signal: AbortSignal | undefined },
  ): Promise<SearchAnswer> =>
    new Promise((resolve, reject) => {
      searches += 1
      const id = searches
      const onAbort = (): void => tell(seat, { kind: 'abort', id })
      const settled = (): void => signal?.removeEventListener('abort', onAbort)
      seat.jobs.set(id, {
        context,
        resolve(answer) {
          settled()
          resolve(answer)
        },
        here() {
          settled()
          searchHere(context, request, signal).then(resolve, reject)
        },
      })
      signal?.addEventListener('abort', onAbort, { once: true })
      seat.worker.ref()
      const { model, settings, weigh } = context
      tell(seat, {
        ...{ kind: 'search', id, request, settings },
        ...{ byWords: model === null, hasRecord: weigh !== undefined },
      })
    })

  return {
    async search(context, request, signal) {
      signal?.throwIfAborted()
      if (here > 0 && seats.size < others && deaths < mostDeaths) start()
      share(context.snapshot)
      const idle = [...seats].filter(({ isReady }) => isReady).sort((a, b) => a.jobs.size - b.jobs.size)[0]
      return idle !== undefined && here > 0 && idle.jobs.size <= here
        ? searchThere(idle, context, { request, signal })
        : searchHere(context, request, signal)
    },
    async close() {
      deaths = mostDeaths
      await Promise.all([...seats].map(({ worker }) => worker.terminate()))
    },
  }
}

const tell = ({ worker }: Seat, message: ToThread): void => worker.postMessage(message)

/** What only the thread that owns the store can tell. */
async function answered(
  context: SearchContext | undefined,
  asked: Asked,
): Promise<Answers[keyof Answers] | null> {
  if (asked.what === 'weights') return readWeights(asked.file)
  if (context === undefined) return null
  if (asked.what === 'cards') return context.snapshot.cards(asked.ids)
  const { ranked, signalOf } = await context.weigh!(asked.found)
  const signals = ranked.flatMap(({ document }) => {
    const signal = signalOf(document)
    return signal === undefined ? [] : ([[document, signal]] as const)
  })
  return { ranked, signals: new Map(signals) }
}

export type ThreadStart = {
  /** What of the configuration tells the model. */
  readonly config: Pick<Config, 'model' | 'cache' | 'reader'>
}

/** A state of the catalog as threads share it. */
export type SharedCatalog = Pick<CatalogSnapshot, 'generation' | 'embedding'> & {
  readonly images: { readonly [kind in CardKind]: SharedIndex }
}

/** What a search in a thread asks of the thread that owns the store. */
export type Asked =
  | { readonly what: 'cards'; readonly ids: readonly string[] }
  | { readonly what: 'weigh'; readonly found: ToWeigh }
  /** The bytes of a file of the model. */
  | { readonly what: 'weights'; readonly file: string }

export type Answers = {
  readonly cards: readonly Card[]
  readonly weigh: {
    readonly ranked: readonly RankedCard[]
    /** By document. */
    readonly signals: ReadonlyMap<number, RecordSignal>
  }
  readonly weights: SharedBytes
}

export type ToThread =
  /** Holds for the searches that follow. */
  | { readonly kind: 'catalog'; readonly catalog: SharedCatalog }
  | {
      readonly kind: 'search'
      readonly id: number
      readonly request: SearchRequest
      readonly settings: RetrievalSettings | undefined
      readonly byWords: boolean
      readonly hasRecord: boolean
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'reply'; readonly ask: number; readonly value: Answers[keyof Answers] | null }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SearchAnswer }
  /** Whoever asked makes the search itself, and hears what is wrong. */
  | { readonly kind: 'failed'; readonly id: number }
  | { readonly kind: 'ask'; readonly ask: number; readonly id: number; readonly asked: Asked }
