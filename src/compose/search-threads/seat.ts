import { Worker } from 'node:worker_threads'
import { sharedIndex } from '../../retrieval/index/catalog-image.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import type { SearchContext } from '../../retrieval/search/search.ts'
import { readWeights } from '../../vectors/weight-file.ts'
import { answer, type Job, searchHere } from './job.ts'
import type { Answers, Asked, FromThread, ThreadStart, ToThread } from './messages.ts'

/** A thread, and the searches it has not answered. */
export type Seat = {
  readonly worker: Worker
  readonly jobs: Map<number, { readonly job: Job; readonly onAbort: () => void }>
  isReady: boolean
  catalog: CatalogSnapshot | null
  /** That were ever made there. */
  searches: number
}

/** Run from source the entry may be one that this Node does not take: then every search is made here. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)

/**
 * What a search makes is little and soon forgotten. By default a thread keeps much more of it than it needs; the smaller its heap may
 * become at most, the sooner it is swept. A thread uses some 60 MB, and many times that is still allowed.
 */
const memory = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 } as const

type SeatEvents = {
  /** It may have another search. */
  readonly onTurn: () => void
  /** Its thread has died; its searches are made here. */
  readonly onEnd: (seat: Seat) => void
}

export function startSeat(
  { model, cache, reader }: ThreadStart['config'],
  { onTurn, onEnd }: SeatEvents,
): Seat {
  const workerData: ThreadStart = { config: { model, cache, reader } }
  const worker = new Worker(entry, { workerData, execArgv: [], resourceLimits: memory })
  const seat: Seat = { worker, jobs: new Map(), isReady: false, catalog: null, searches: 0 }
  worker.unref()
  worker.on('message', (message: FromThread) => {
    receive(seat, message)
    if (message.kind !== 'ask') onTurn()
  })
  worker.on('error', () => {}) // it ends, see below
  worker.on('exit', () => {
    onEnd(seat)
    for (const id of seat.jobs.keys()) void searchHere(taken(seat, id)!)
  })
  return seat
}

function receive(seat: Seat, message: FromThread): void {
  if (message.kind === 'ready') {
    seat.isReady = true
  } else if (message.kind === 'ask') {
    const { ask, id, asked } = message
    const reply = (value: Answers[keyof Answers] | null): void => tell(seat, { kind: 'reply', ask, value })
    answered(seat.jobs.get(id)?.job.context, asked).then(reply, () => reply(null))
  } else {
    const job = taken(seat, message.id)
    if (job !== undefined && message.kind === 'answer') answer(job, message.answer)
    else if (job !== undefined) void searchHere(job)
  }
}

/** Every seat gets a new state at once: one that has nothing to do would hold on to the former. */
export function show(seat: Seat, snapshot: CatalogSnapshot): void {
  if (!seat.isReady || seat.catalog === snapshot) return
  seat.catalog = snapshot
  const { generation, embedding, indexes } = snapshot
  const images = { tool: sharedIndex(indexes.tool), agent: sharedIndex(indexes.agent) }
  tell(seat, { kind: 'catalog', catalog: { generation, embedding, images } })
}

export function searchThere(seat: Seat, job: Job): void {
  seat.searches += 1
  const id = seat.searches
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

const tell = ({ worker }: Seat, message: ToThread): void => worker.postMessage(message)

/** A search that a thread has no longer to make. */
function taken({ worker, jobs }: Seat, id: number): Job | undefined {
  const held = jobs.get(id)
  jobs.delete(id)
  if (jobs.size === 0) worker.unref()
  held?.job.signal?.removeEventListener('abort', held.onAbort)
  return held?.job
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
