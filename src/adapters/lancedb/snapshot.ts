import type { Connection, Table } from '@lancedb/lancedb'
import type { Card, CardKind } from '../../domain/card.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../retrieval/card-index.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { quoted } from './connection.ts'
import { readImage } from './image-table.ts'
import { cardTables, type Head, imagesTable, vectorTables } from './schemas.ts'
import { nearestIds } from './vectors.ts'

/** Opens one committed state: every table at the version the head names, so that later commits do not show. */
export async function openSnapshot(connection: Connection, head: Head): Promise<CatalogSnapshot> {
  const pinned = async (name: string): Promise<Table> => {
    const table = await connection.openTable(name)
    const version = head.versions[name]
    if (version === undefined)
      throw new Error(`The store's head names no version of table "${name}". Run: audition index`)
    await table.checkout(version)
    return table
  }
  const images = await pinned(imagesTable)
  const openKind = async (kind: CardKind): Promise<KindTables> => {
    const [cards, vectors, image] = await Promise.all([
      pinned(cardTables[kind]),
      head.embedding ? pinned(vectorTables[kind]) : null,
      readImage(images, kind),
    ])
    const index = (image && openCardIndex(image)) ?? (await rebuilt(cards))
    return { cards, vectors, index }
  }
  const [tool, agent] = await Promise.all([openKind('tool'), openKind('agent')])
  images.close()
  const kinds = { tool, agent }

  return {
    generation: head.generation,
    embedding: head.embedding,
    indexes: { tool: tool.index, agent: agent.index },
    async cards(ids) {
      const found = await Promise.all(
        Object.values(kinds).map(({ cards, index }) =>
          readCards(
            cards,
            ids.filter((id) => index.ids.indexOf(id) >= 0),
          ),
        ),
      )
      const byId = new Map(found.flat().map((card) => [card.id, card]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    async nearest(kind, vector, depth, admitted) {
      const { vectors, index } = kinds[kind]
      if (vectors === null) return []
      return nearestIds(vectors, vector, depth, admitted && ((id) => admitted[index.ids.indexOf(id)] === 1))
    },
  }
}

type KindTables = { readonly cards: Table; readonly vectors: Table | null; readonly index: CardIndex }

async function readCards(table: Table, ids: readonly string[]): Promise<Card[]> {
  if (ids.length === 0) return []
  const rows = (await table
    .query()
    .where(`id IN (${ids.map(quoted).join(', ')})`)
    .select(['card'])
    .toArray()) as { card: string }[]
  return rows.map(({ card }) => JSON.parse(card) as Card)
}

/** All cards of a table. */
export async function allCards(table: Table): Promise<Card[]> {
  const rows = await table.query().select(['card']).toArrow()
  const column = rows.getChild('card')
  return Array.from({ length: rows.numRows }, (_, index) => JSON.parse(column?.get(index) as string) as Card)
}

/** The image of another version of Audition: searched from memory until the next `audition index` writes a new one. */
async function rebuilt(cards: Table): Promise<CardIndex> {
  const index = openCardIndex(packCardIndex(await allCards(cards)))
  if (index === null) throw new Error('A search image that was just packed cannot be opened.')
  return index
}
