import type { Table } from '@lancedb/lancedb'
import { standingsOf } from '../../trust/standing.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import {
  type CardIndex,
  imageMemory,
  openCardIndex,
  openCardIndexIn,
  packCardIndex,
} from '../../retrieval/index/card-index.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { allCards, cardsAt, cardsByIds, hashesByIds } from './card-rows.ts'
import { openAtHead, openMeta, type StoreAtHead, versionAt } from './connection.ts'
import { readSources } from './commit/head.ts'
import { readImage, storedVectors } from './vectors.ts'
import { guardTable } from './integrity/verify-table.ts'
import { cardTables, imagesTable, vectorTables } from './schemas.ts'
import { readingStore, isRemote } from './store-location.ts'

/** Opens one committed state: every table at the version the head names, so that later commits do not show. */
export async function openSnapshot(store: StoreAtHead): Promise<CatalogSnapshot> {
  const { location, head } = store
  const images = await openAtHead(store, imagesTable)
  const openKind = async (kind: CardKind): Promise<KindTables> => {
    const whole = await guardTable(location, cardTables[kind], versionAt(head, cardTables[kind]))
    const [cards, image] = await Promise.all([
      openAtHead(store, cardTables[kind], { untouched: 'believe' }),
      readImage(images, kind, imageMemory),
    ])
    const index = (image && openCardIndexIn(image)) ?? (await rebuilt(store, kind, cards))
    return { cards, index, whole }
  }
  const [tool, agent] = await Promise.all([openKind('tool'), openKind('agent')])
  images.close()
  const kinds = { tool, agent }

  /** What is asked of the tables of both kinds, each for its own ids. */
  const ofBoth = <T>(
    ids: readonly string[],
    ask: (cards: Table, ids: readonly string[], index: CardIndex) => Promise<readonly T[]>,
  ): Promise<readonly (readonly T[])[]> =>
    readingStore(location, () =>
      Promise.all(
        Object.values(kinds).map(async ({ cards, index, whole }) => {
          const own = ids.filter((id) => index.ids.indexOf(id) >= 0)
          if (own.length > 0) await whole()
          return ask(cards, own, index)
        }),
      ),
    )

  return {
    generation: head.generation,
    embedding: head.embedding,
    indexes: { tool: tool.index, agent: agent.index },
    async cards(ids) {
      const found = await ofBoth(ids, isRemote(location) ? cardsByIds : cardsAtRows)
      const byId = new Map(found.flat().map((card) => [card.id, card]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    hashes: async (ids) => new Map((await ofBoth(ids, hashesByIds)).flat()),
  }
}

/** The image was packed from the rows of the version that is read, in their order. */
const cardsAtRows = (
  cards: Table,
  ids: readonly string[],
  { ids: known, place }: CardIndex,
): Promise<Card[]> =>
  cardsAt(
    cards,
    ids.map((id) => ({ id, row: place(known.indexOf(id)) })),
  )

type KindTables = {
  readonly cards: Table
  readonly index: CardIndex
  /** Looks whether the files of the cards are what they were. @throws DamagedFileError */
  readonly whole: () => Promise<void>
}

/** The image of another version of Audition: searched from memory until the next `audition index` writes a new one. */
async function rebuilt(store: StoreAtHead, kind: CardKind, cards: Table): Promise<CardIndex> {
  const { head } = store
  const table = head.embedding && (await openAtHead(store, vectorTables[kind]))
  const vectors = table && head.embedding && (await storedVectors(table, head.embedding))
  table?.close()
  const meta = await openMeta(store)
  const standingOf = standingsOf(meta === null ? [] : await readSources(meta, head))
  meta?.close()
  const index = openCardIndex(packCardIndex(await allCards(cards), { vectors, standingOf }))
  if (index === null) throw new Error('A search image that was just packed cannot be opened.')
  return index
}
