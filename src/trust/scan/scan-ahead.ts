import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { compiledEntry, largeCard } from './scan-thread.ts'

/** Looks through the texts of many cards in a thread, before anybody asks what they say. */
export type ScanAhead = {
  add(cards: readonly Card[]): void
  /** What the texts of a card say; null of one that was not looked through, or not to its end. */
  saidOf(card: Card): Promise<readonly Finding[] | null>
  close(): Promise<void>
}

/** Fewer cards are looked through sooner than a thread has started. */
const fewCards = 4000
/** Characters that are sent at a time. */
const batchCharacters = 1_000_000
/** Milliseconds without an answer after which the thread is given up: what one batch may take, see scan-thread.ts. */
const patience = 30_000

type Batch = { readonly cards: Card[]; readonly texts: string[]; characters: number }
type Said = readonly (readonly Finding[])[] | null

/** @param entry - a module that answers as `answerTo` does; where it is absent no card is looked through */
export function scanAhead(entry: URL = compiledEntry, few = fewCards): ScanAhead {
  const answers = new WeakMap<Card, { readonly batch: Promise<Said>; readonly at: number }>()
  const thread = new ScanThread(entry)
  let waiting: Card[] = []

  const send = ({ cards, texts }: Batch): void => {
    if (cards.length === 0) return
    const batch = thread.ask(texts)
    cards.forEach((card, at) => {
      answers.set(card, { batch, at })
    })
  }

  return {
    add(cards) {
      if (thread.isOver) return
      waiting.push(...cards)
      if (!thread.hasStarted && waiting.length < few) return
      for (const batch of batchesOf(waiting)) send(batch)
      waiting = []
    },
    async saidOf(card) {
      const found = answers.get(card)
      return found === undefined ? null : ((await found.batch)?.[found.at] ?? null)
    },
    close() {
      waiting = []
      return thread.stop()
    },
  }
}

/** Cards of so many characters, without those that are looked through one by one, each with a deadline. */
function* batchesOf(cards: readonly Card[]): Iterable<Batch> {
  let batch: Batch = { cards: [], texts: [], characters: 0 }
  for (const card of cards) {
    const text = JSON.stringify(card)
    if (text.length > largeCard) continue
    batch.cards.push(card)
    batch.texts.push(text)
    batch.characters += text.length
    if (batch.characters < batchCharacters) continue
    yield batch
    batch = { cards: [], texts: [], characters: 0 }
  }
  yield batch
}

/** A thread that looks through batches, as long as it answers. */
class ScanThread {
  readonly #entry: URL
  /** Whom it owes an answer, in order. */
  readonly #owed: ((said: Said) => void)[] = []
  #worker: Worker | null = null
  #isOver: boolean
  #answered = 0
  #timer: NodeJS.Timeout | undefined

  constructor(entry: URL) {
    this.#entry = entry
    this.#isOver = entry.protocol === 'file:' && !existsSync(entry)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get hasStarted(): boolean {
    return this.#worker !== null
  }

  ask(cards: readonly string[]): Promise<Said> {
    this.#worker ??= this.#opened()
    this.#worker.postMessage({ cards })
    const answer = new Promise<Said>((resolve) => void this.#owed.push(resolve))
    if (this.#owed.length === 1) this.#watch()
    return answer
  }

  stop = async (): Promise<void> => {
    this.#isOver = true
    clearTimeout(this.#timer)
    for (const tell of this.#owed.splice(0)) tell(null)
    await this.#worker?.terminate()
  }

  #opened(): Worker {
    return new Worker(this.#entry, { execArgv: [] })
      .on('message', (said: Said) => {
        this.#answered += 1
        this.#owed.shift()?.(said)
        this.#watch()
      })
      .on('error', this.stop)
      .on('exit', this.stop)
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const before = this.#answered
    const stopUnheard = (): void => {
      if (this.#answered === before) void this.stop()
    }
    // Work of this thread may have kept answers from being heard: they come before what is set for after them.
    const look = (): void => void setImmediate(() => setImmediate(stopUnheard))
    if (this.#owed.length > 0) this.#timer = setTimeout(look, patience).unref()
  }
}
