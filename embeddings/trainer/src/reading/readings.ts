import { setImmediate } from 'node:timers/promises'
import { cardText } from '../../../../src/adapters/reader-model/model-of-parts.ts'
import type { TextReader } from '../../../../src/adapters/reader-model/open-reader.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { keptVectors } from './kept-vectors.ts'
import type { TrainingReaders } from './training-readers.ts'

/** What one reader makes of texts; each is read once. */
export type Readings = {
  readonly dimensions: number
  /** Reads cards that are not read yet: many together are read quicker than one by one. */
  prepare(cards: readonly Card[], watch: ReadingWatch): Promise<void>
  card(card: Card): Float32Array
  query(text: string): Float32Array
}

type ReadingWatch = {
  readonly signal?: AbortSignal | undefined
  /** Told the share of the cards that is read, 0..1. */
  readonly onProgress?: (share: number) => void
}

/** Readings for each family by a reader that has not seen it. */
export type OutOfFoldReadings = {
  /** Changes with whatever the readings depend on. */
  readonly fingerprint: string
  of(family: string): Readings
  close(): void
}

/** Texts between two looks at the signal. */
const textsAtOnce = 512

/** @param fileOf - path of the file in which what a reader made is kept, by its name */
export function outOfFoldReadings(
  readers: TrainingReaders,
  fileOf: (name: string) => string,
): OutOfFoldReadings {
  const opened = new Map<number, Readings & { close(): void }>()
  return {
    fingerprint: readers.fingerprint,
    of(family) {
      const part = readers.partOf(family)
      const reader = readers.parts[part]!
      const readings =
        opened.get(part) ?? readingsBy(reader, fileOf(`readings-${reader.sha256.slice(0, 12)}.bin`))
      opened.set(part, readings)
      return readings
    },
    close() {
      for (const readings of opened.values()) readings.close()
    },
  }
}

function readingsBy(reader: TextReader, file: string): Readings & { close(): void } {
  const kept = keptVectors(file, reader.dimensions)
  const ofCards = new WeakMap<Card, Float32Array>()
  const keyOf = (card: Card): string => `card ${cardText(card)}`
  const addCards = (texts: readonly string[]): void =>
    reader.encodeCards(texts).forEach((vector, place) => {
      kept.add(`card ${texts[place]}`, vector)
    })
  return {
    dimensions: reader.dimensions,
    async prepare(cards, { signal, onProgress = () => {} }) {
      const unread = [...new Set(cards.map(cardText))].filter((text) => !kept.get(`card ${text}`))
      for (let from = 0; from < unread.length; from += textsAtOnce) {
        onProgress(from / unread.length)
        await setImmediate()
        signal?.throwIfAborted()
        addCards(unread.slice(from, from + textsAtOnce))
      }
    },
    card(card) {
      const known = ofCards.get(card)
      if (known) return known
      if (!kept.get(keyOf(card))) addCards([cardText(card)])
      const vector = kept.get(keyOf(card))!
      ofCards.set(card, vector)
      return vector
    },
    query(text) {
      const key = `query ${text}`
      const known = kept.get(key)
      if (known) return known
      const vector = reader.encodeQuery(text)
      kept.add(key, vector)
      return vector
    },
    close: kept.close,
  }
}
