import type { Table } from '@lancedb/lancedb'
import type { Card } from '../../../domain/card.ts'
import { parseSealed } from '../../../domain/text/sealed-json.ts'
import type { CardIndex } from '../../../retrieval/index/card-index.ts'
import type { DiskCache } from './disk-cache.ts'

/** The cards of one kind as a search image knows them. */
export type StoredCards = {
  /** In no order; an unknown id is left out. */
  cards(ids: readonly string[], index: CardIndex): Promise<readonly Card[]>
  /** Id to content hash, in no order. */
  hashes(ids: readonly string[], index: CardIndex): Promise<readonly (readonly [string, string])[]>
}

/**
 * Cards of a table of object storage, copied to a file on this machine: a line per row, in their order. It is written once, since such a
 * table never changes after a head named it.
 *
 * @param name - of the table and its version
 * @param open - opens the table, where there is no copy yet
 * @returns null when the disk does not take the copy
 */
export async function copiedCards(
  cache: DiskCache,
  name: string,
  open: () => Promise<Table>,
): Promise<StoredCards | null> {
  const starts =
    (await startsOfLines(cache, name)) ??
    ((await cache.write(name, linesOf(await open()))) === null ? null : await startsOfLines(cache, name))
  if (starts === null) return null
  const lines = async (ids: readonly string[], index: CardIndex) =>
    Promise.all(
      ids.map(async (id) => {
        const row = index.place(index.ids.indexOf(id))
        const [start, end] = [starts[row], starts[row + 1]]
        if (start === undefined || end === undefined) throw new Error(`the copy ${name} has no row ${row}`)
        const line = Buffer.from(await cache.part(name, start, end - 1)).toString()
        const hash = line.slice(0, line.indexOf(' '))
        return { id, hash, text: line.slice(hash.length + 1) }
      }),
    )
  return {
    async cards(ids, index) {
      const cards = (await lines(ids, index)).map(({ text }) => parseSealed(text) as Card)
      if (cards.some(({ id }, at) => id !== ids[at])) throw new Error(`the copy ${name} has other cards`)
      return cards
    },
    hashes: async (ids, index) => (await lines(ids, index)).map(({ id, hash }) => [id, hash] as const),
  }
}

/** @returns where each line begins, and where the last one ends; null without a copy that is whole */
async function startsOfLines(cache: DiskCache, name: string): Promise<Float64Array | null> {
  const starts = [0]
  const digest = await cache.read(name, () => (piece, at) => {
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, end + 1)) starts.push(at + end + 1)
  })
  return digest === null ? null : Float64Array.from(starts)
}

async function* linesOf(table: Table): AsyncGenerator<Uint8Array> {
  for await (const batch of table.query().select(['hash', 'card'])) {
    const [hashes, cards] = [batch.getChild('hash')!, batch.getChild('card')!]
    const lines = Array.from({ length: batch.numRows }, (_, row) => `${hashes.get(row)} ${cards.get(row)}\n`)
    yield Buffer.from(lines.join(''))
  }
}
