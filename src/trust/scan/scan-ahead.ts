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
  const owed: ((said: Said) => void)[] = []
  let isOver = entry.protocol === 'file:' && !existsSync(entry)
  let waiting: Card[] = []
  let worker: Worker | null = null
  let answered = 0
  let timer: NodeJS.Timeout | undefined

  const stop = async (): Promise<void> => {
    isOver = true
    waiting = []
    clearTimeout(timer)
    for (const tell of owed.splice(0)) tell(null)
    await worker?.terminate()
  }
  const watch = (): void => {
    clearTimeout(timer)
    const before = answered
    // Work of this thread may have kept answers from being heard: they come before what is set for after them.
    const look = (): void => void setImmediate(() => setImmediate(() => answered === before && void stop()))
    if (owed.length > 0) timer = setTimeout(look, patience).unref()
  }
  const opened = (): Worker =>
    new Worker(entry, { execArgv: [] })
      .on('message', (said: Said) => {
        answered += 1
        owed.shift()?.(said)
        watch()
      })
      .on('error', stop)
      .on('exit', stop)
  const send = ({ cards, texts }: Batch): void => {
    if (cards.length === 0) return
    worker ??= opened()
    worker.postMessage({ cards: texts })
    const batch = new Promise<Said>((resolve) => void owed.push(resolve))
    cards.forEach((card, at) => {
      answers.set(card, { batch, at })
    })
    if (owed.length === 1) watch()
  }

  return {
    add(cards) {
      if (isOver) return
      waiting.push(...cards)
      if (worker === null && waiting.length < few) return
      let batch: Batch = { cards: [], texts: [], characters: 0 }
      for (const card of waiting) {
        const text = JSON.stringify(card)
        // Those are looked through one by one, each with a deadline.
        if (text.length > largeCard) continue
        batch.cards.push(card)
        batch.texts.push(text)
        batch.characters += text.length
        if (batch.characters < batchCharacters) continue
        send(batch)
        batch = { cards: [], texts: [], characters: 0 }
      }
      send(batch)
      waiting = []
    },
    async saidOf(card) {
      const found = answers.get(card)
      return found === undefined ? null : ((await found.batch)?.[found.at] ?? null)
    },
    close: stop,
  }
}
