import { createHash } from 'node:crypto'
import { textsOf } from '../../../../src/retrieval/text/card-texts.ts'
import type { TrainingData } from './read-training-corpora.ts'

/** SHA-256 of everything of the data that training sees, hexadecimal. */
export function fingerprintData({ corpora, developmentTexts }: TrainingData): string {
  const hash = createHash('sha256')
  const add = (value: unknown): void => {
    hash.update(`${JSON.stringify(value)}\n`)
  }
  for (const { name, family, cards, queries } of corpora) {
    add([name, family, cards.length, queries.length])
    for (const card of cards) add([card.id, card.kind, card.source, textsOf(card), card.examples])
    for (const { text, relevant, set } of queries) add([text, relevant, set ?? null])
  }
  add([...developmentTexts].sort())
  return hash.digest('hex')
}
