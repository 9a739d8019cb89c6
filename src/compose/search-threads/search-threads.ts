import { Worker } from 'node:worker_threads'
import type { SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import { sharedIndex } from '../../retrieval/index/catalog-image.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { search, type SearchContext } from '../../retrieval/search/search.ts'
import { readWeights } from '../../vectors/weight-file.ts'
import type { Answers, Asked, FromThread, ThreadStart, ToThread } from './messages.ts'

/** Searches in this thread and in others, all of which read the same search images. */
type SearchThreads = {
  /** As {@link search}, in whichever thread is free. Another thread starts when all have a search already. */
  search(context: SearchContext, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  close(): Promise<void>
}

type Job = {
  readonly context: SearchContext
  readonly request: SearchRequest
  readonly signal: AbortSignal | undefined
  resolve(answer: SearchAnswer): void
  reject(reason: unknown): void
}

/** A thread, and the searches it has not answered. */
type Seat = {
  readonly worker: Worker
  readonly jobs: Map<number, { readonly job: Job; readonly onAbort: () => void }>
  isReady: boolean
  catalog: CatalogSnapshot | null
}

/** Searches that another thread has at once: it goes on with them while this one is busy. */
const mostThere = 4

/** Run from source the entry may be one that this Node does not take: then every search is made here. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)

/** A thread that has died so often is not started again. */
const mostDeaths = 3

/**
 * What a search makes is little and soon forgotten. By default a thread keeps much more of it than it needs; the smaller its heap may
 * become at most, the sooner it is swept. A thread uses some 60 MB, and many times that is still allowed.
 */
const memory = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 } as const

/** @param others - threads beside this one, started when they are needed; >= 0 */
export function searchThreads(config: ThreadStart['config'], others: number): SearchThreads {
  const seats = new Set<Seat>()
  const waiting: Job[] = []
  let deaths = 0
  let searches = 0
  /** Searches that are not answered. */
  let open = 0
  /** Whether this thread searches: not, once it comes to it, or now. */
  let here: 'idle' | 'soon' | 'now' = 'idle'

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
      for (const id of seat.jobs.keys()) void searchHere(taken(seat, id)!)
    })
  }

  const hear = (seat: Seat, message: FromThread): void => {
    if (message.kind === 'ready') {
      seat.isReady = true
    } else if (message.kind === 'ask') {
      const { ask, id, asked } = message
      const reply = (value: Answers[keyof Answers] | null): void => tell(seat, { kind: 'reply', ask, value })
      answered(seat.jobs.get(id)?.job.context, asked).then(reply, () => reply(null))
      return
    } else {
      const job = taken(seat, message.id)
      if (job !== undefined && message.kind === 'answer') answer(job, message.answer)
      else if (job !== undefined) void searchHere(job)
    }
    handOut()
  }

  /** Every seat gets a new state at once: one that has nothing to do would hold on to the former. */
  const show = (seat: Seat, snapshot: CatalogSnapshot): void => {
    if (!seat.isReady || seat.catalog === snapshot) return
    seat.catalog = snapshot
    const { generation, embedding, indexes } = snapshot
    const images = { tool: sharedIndex(indexes.tool), agent: sharedIndex(indexes.agent) }
    tell(seat, { kind: 'catalog', catalog: { generation, embedding, images } })
  }

  const searchThere = (seat: Seat, job: Job): void => {
    searches += 1
    const id = searches
    const { context, request, signal } = job
    show(seat, context.snapshot)
    const onAbort = (): void => tell(seat, { kind: 'abort', id })
    signal?.addEventListener('abort', onAbort, { once: true })
    seat.jobs.set(id, { job, onAbort })
    seat.worker.ref()
    const { model, settings, weigh } = context
    tell(seat, {
      kind: 'search',
      id,
      request,
      settings,
      byWords: model === null,
      hasRecord: weigh !== undefined,
    })
  }

  /**
   * Others get as many searches as they may have, and this thread makes one of the rest at each turn of its loop: requests and answers come
   * first. Who is alone is answered here, which costs no messages.
   */
  const handOut = (): void => {
    while (waiting.length > 0) {
      const isLast = waiting.length === 1
      if (here === 'idle') {
        here = 'soon'
        setImmediate(searchInTurn)
        if (isLast && open === 1) return
      }
      const ready = [...seats].filter(({ isReady, jobs }) => isReady && jobs.size < mostThere)
      const seat = ready.sort((a, b) => a.jobs.size - b.jobs.size)[0]
      if (seat === undefined || (isLast && here === 'soon' && seat.jobs.size > 0)) return
      const job = next()
      if (job !== undefined) searchThere(seat, job)
    }
  }

  const next = (): Job | undefined => {
    const job = waiting.shift()
    if (!job?.signal?.aborted) return job
    job.reject(job.signal.reason)
    return next()
  }

  const searchInTurn = async (): Promise<void> => {
    here = 'now'
    const job = next()
    if (job !== undefined) await searchHere(job)
    here = 'idle'
    handOut()
  }

  return {
    search: (context, request, signal) => {
      open += 1
      return new Promise<SearchAnswer>((resolve, reject) => {
        const areAllBusy = here !== 'idle' && [...seats].every(({ jobs }) => jobs.size > 0)
        if (areAllBusy && seats.size < others && deaths < mostDeaths) start()
        for (const seat of seats) show(seat, context.snapshot)
        waiting.push({ context, request, signal, resolve, reject })
        handOut()
      }).finally(() => {
        open -= 1
      })
    },
    async close() {
      deaths = mostDeaths
      await Promise.all([...seats].map(({ worker }) => worker.terminate()))
    },
  }
}

const tell = ({ worker }: Seat, message: ToThread): void => worker.postMessage(message)

/** A search that a thread has no longer to make. */
function taken({ worker, jobs }: Seat, id: number): Job | undefined {
  const held = jobs.get(id)
  jobs.delete(id)
  if (jobs.size === 0) worker.unref()
  held?.job.signal?.removeEventListener('abort', held.onAbort)
  return held?.job
}

/** Ends when the search is made; its cards are read then, while others are searched for. */
const searchHere = ({ context, request, signal, resolve, reject }: Job): Promise<void> =>
  new Promise((searched) => {
    const cards: CatalogSnapshot['cards'] = (ids) => {
      searched()
      return context.snapshot.cards(ids)
    }
    const found = search({ ...context, snapshot: { ...context.snapshot, cards } }, request, signal)
    found.then(resolve, reject).finally(searched)
  })

/** Answers with the cards of these ids. One that is not there any more is left out. */
function answer({ context, resolve, reject }: Job, found: SearchAnswer): void {
  const withCards = async (): Promise<SearchAnswer> => {
    const cards = await context.snapshot.cards(found.candidates.map(({ card }) => card.id))
    const byId = new Map(cards.map((card) => [card.id, card]))
    const candidates = found.candidates.flatMap((candidate) => {
      const card = byId.get(candidate.card.id)
      return card === undefined ? [] : [{ ...candidate, card }]
    })
    return { ...found, candidates }
  }
  withCards().then(resolve, reject)
}

/** What only the thread that owns the store can tell. */
async function answered(
  context: SearchContext | undefined,
  asked: Asked,
): Promise<Answers[keyof Answers] | null> {
  if (asked.what === 'weights') return readWeights(asked.file)
  if (context === undefined) return null
  const { ranked, signalOf } = await context.weigh!(asked.found)
  const signals = ranked.flatMap(({ document }) => {
    const signal = signalOf(document)
    return signal === undefined ? [] : ([[document, signal]] as const)
  })
  return { ranked, signals: new Map(signals) }
}
