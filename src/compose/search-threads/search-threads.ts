import type { SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import type { SearchContext } from '../../retrieval/search/search.ts'
import { type Job, nextOf, searchHere } from './job.ts'
import type { ThreadStart } from './messages.ts'
import { type Seat, searchThere, show, startSeat } from './seat.ts'

/** Searches in this thread and in others, all of which read the same search images. */
type SearchThreads = {
  /** As {@link search}, in whichever thread is free. Another thread starts when all have a search already. */
  search(context: SearchContext, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  close(): Promise<void>
}

/** Searches that another thread has at once: it goes on with them while this one is busy. */
const mostThere = 4

/** A thread that has died so often is not started again. */
const mostDeaths = 3

/** @param others - threads beside this one, started when they are needed; >= 0 */
export function searchThreads(config: ThreadStart['config'], others: number): SearchThreads {
  const turns = new SearchTurns(config, others)
  // Callers take the functions off the object.
  return {
    search: (context, request, signal) => turns.search(context, request, signal),
    close: () => turns.close(),
  }
}

/** Whose turn a search is: this thread's, or another's. */
class SearchTurns implements SearchThreads {
  readonly #config: ThreadStart['config']
  readonly #others: number
  readonly #seats = new Set<Seat>()
  readonly #waiting: Job[] = []
  #deaths = 0
  /** Searches that are not answered. */
  #open = 0
  /** Whether this thread searches: not, once it comes to it, or now. */
  #here: 'idle' | 'soon' | 'now' = 'idle'

  constructor(config: ThreadStart['config'], others: number) {
    this.#config = config
    this.#others = others
  }

  search(context: SearchContext, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    this.#open += 1
    return new Promise<SearchAnswer>((resolve, reject) => {
      const areAllBusy = this.#here !== 'idle' && [...this.#seats].every(({ jobs }) => jobs.size > 0)
      if (areAllBusy && this.#seats.size < this.#others && this.#deaths < mostDeaths) this.#start()
      for (const seat of this.#seats) show(seat, context.snapshot)
      this.#waiting.push({ context, request, signal, resolve, reject })
      this.#handOut()
    }).finally(() => {
      this.#open -= 1
    })
  }

  async close(): Promise<void> {
    this.#deaths = mostDeaths
    await Promise.all([...this.#seats].map(({ worker }) => worker.terminate()))
  }

  #start(): void {
    const onEnd = (seat: Seat): void => {
      this.#seats.delete(seat)
      this.#deaths += 1
    }
    this.#seats.add(startSeat(this.#config, { onTurn: () => this.#handOut(), onEnd }))
  }

  /**
   * Others get as many searches as they may have, and this thread makes one of the rest at each turn of its loop: requests and answers come
   * first. Who is alone is answered here, which costs no messages.
   */
  #handOut(): void {
    while (this.#waiting.length > 0) {
      const isLast = this.#waiting.length === 1
      if (this.#here === 'idle') {
        this.#here = 'soon'
        setImmediate(() => this.#searchInTurn())
        if (isLast && this.#open === 1) return
      }
      const ready = [...this.#seats].filter(({ isReady, jobs }) => isReady && jobs.size < mostThere)
      const seat = ready.sort((a, b) => a.jobs.size - b.jobs.size)[0]
      if (seat === undefined || (isLast && this.#here === 'soon' && seat.jobs.size > 0)) return
      const job = nextOf(this.#waiting)
      if (job !== undefined) searchThere(seat, job)
    }
  }

  async #searchInTurn(): Promise<void> {
    this.#here = 'now'
    const job = nextOf(this.#waiting)
    if (job !== undefined) await searchHere(job)
    this.#here = 'idle'
    this.#handOut()
  }
}
