import { modelOfParts, type PlainModel } from '../../src/adapters/reader-model/model-of-parts.ts'
import { openReader } from '../../src/adapters/reader-model/open-reader.ts'
import { vectorCache } from '../../src/vectors/vector-cache.ts'
import { embeddingText } from '../../src/retrieval/text/card-texts.ts'
import { scatteredModel } from './scattered-model.ts'

/** What a model of two parts is made of in a test. */
export type TwoPartsOptions = {
  /** A folder of a reader. */
  readonly reader: string
  /** File of what was read. */
  readonly readings: string
  readonly mostCards?: number
  /** Called with the number of texts of cards, whenever some are read. */
  readonly onRead?: (texts: number) => void
  /** Called with the texts of requests, whenever some are read. */
  readonly onAsk?: (texts: readonly string[]) => void
  /** Called when the reader is opened. */
  readonly onOpen?: () => void
}

/** An embedding without meaning, and beside it a reader that was never trained. */
export function twoParts({
  reader: folder,
  readings,
  mostCards = 1000,
  onRead = () => undefined,
  onAsk = () => undefined,
  onOpen = () => undefined,
}: TwoPartsOptions): PlainModel {
  const scattered = scatteredModel({ id: 'static:small-2@scattered' })
  const plain: PlainModel = {
    ...scattered,
    embedCards: (cards) => scattered.embed(cards.map(embeddingText), 'document'),
  }
  const open = async () => {
    onOpen()
    const reader = openReader(folder, { threads: 1 })
    return {
      ...reader,
      encodeCards(texts: readonly string[]) {
        onRead(texts.length)
        return reader.encodeCards(texts)
      },
      encodeQueries(texts: readonly string[]) {
        onAsk(texts)
        return reader.encodeQueries(texts)
      },
    }
  }
  const cache = vectorCache({ file: readings, dimensions: 48, salt: '1' })
  return modelOfParts(plain, {
    sha256: 'ab'.repeat(32),
    dimensions: 48,
    open,
    cache,
    ranker: undefined,
    mostCards,
  })
}
