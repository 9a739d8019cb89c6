import type { CardKind, Card } from '../../domain/card.ts'
import { opener } from '../../domain/once.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../retrieval/index/card-index.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import { standingsOf } from '../../trust/standing.ts'
import { allCards, cardsAt, cardsByIds, hashesByIds } from './card-rows.ts'
import { readStates } from './head.ts'
import {
  openAtHead,
  openMeta,
  type StateOfStore,
  type StoreAtHead,
  storeOf,
  versionAt,
} from './connection.ts'
import { guardTable } from './integrity/verify-table.ts'
import { openIndex } from './open-index.ts'
import { recentCards } from './recent-cards.ts'
import type { DiskCache } from './replica/disk-cache.ts'
import { cardTables, type StoreHead, imagesTable, vectorTables } from './schemas.ts'
import { isRemote, readingStore } from './store-location.ts'
import { storedVectors } from './vectors.ts'
import type { Table } from '@lancedb/lancedb'
import { parseSealed } from '../../domain/text/sealed-json.ts'

/** What is on this machine already of what a snapshot reads. */
export type AtHand = {
  /** For what is copied from object storage; null reads it there. */
  readonly cache: DiskCache | null
  /** The snapshot before: what has not changed since is not read again. */
  readonly former: { readonly head: StoreHead; readonly snapshot: CatalogSnapshot } | null
}

/** Opens one committed state: every table at the version the head names, so that later commits do not show. */
export async function openSnapshot(
  store: StateOfStore,
  { cache, former }: AtHand = { cache: null, former: null },
): Promise<CatalogSnapshot> {
  const { location, head } = store
  const images = opener(async () => openAtHead(await storeOf(store), imagesTable))
  const indexOf = async (kind: CardKind): Promise<CardIndex | null> => {
    const digest = head.digests?.[kind]
    const before = former?.snapshot.indexes[kind]
    if (digest !== undefined && digest === former?.head.digests?.[kind]) return before!
    return openIndex(store, { kind, images, cache, opened: before?.segments ?? [] })
  }
  const openKind = async (kind: CardKind): Promise<KindParts> => {
    const whole = await guardTable(location, cardTables[kind], versionAt(head, cardTables[kind]))
    const table = opener(async () =>
      openAtHead(await storeOf(store), cardTables[kind], { untouched: 'believe' }),
    )
    const [stored, packed] = await Promise.all([cardsOf(store, { kind, table, cache }), indexOf(kind)])
    const index = packed ?? (await rebuilt(await storeOf(store), kind))
    return { cards: { ...stored, cards: recentCards((ids) => stored.cards(ids, index)) }, index, whole }
  }
  const [tool, agent] = await Promise.all([openKind('tool'), openKind('agent')])
  ;(await images.opened())?.close()
  await cache?.tidy([...copiesOf(head), ...segmentsOf(tool.index), ...segmentsOf(agent.index)])
  const kinds = { tool, agent }

  /** What is asked of the cards of both kinds, each for its own ids. */
  const ofBoth = <T>(
    ids: readonly string[],
    ask: (cards: StoredCards, ids: readonly string[], index: CardIndex) => Promise<readonly T[]>,
  ): Promise<readonly (readonly T[])[]> =>
    readingStore(location, () =>
      Promise.all(
        Object.values(kinds).map(async ({ cards, index, whole }) => {
          const own = ids.filter((id) => index.ids.indexOf(id) >= 0)
          if (own.length === 0) return []
          await whole()
          return ask(cards, own, index)
        }),
      ),
    )

  return {
    generation: head.generation,
    embedding: head.embedding,
    indexes: { tool: tool.index, agent: agent.index },
    async cards(ids) {
      const found = await ofBoth(ids, (stored, ...asked) => stored.cards(...asked))
      const byId = new Map(found.flat().map((card) => [card.id, card]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    hashes: async (ids) => new Map((await ofBoth(ids, (stored, ...asked) => stored.hashes(...asked))).flat()),
  }
}

type KindParts = {
  readonly cards: StoredCards
  readonly index: CardIndex
  /** Looks whether the files of the cards are what they were. @throws DamagedFileError */
  readonly whole: () => Promise<void>
}

/** Names of the copies that a snapshot of a head stands on. */
const copiesOf = (head: StoreHead): readonly string[] => [
  ...Object.values(head.digests ?? {}),
  ...Object.values(cardTables).flatMap((table) => copyOfTable(head, table) ?? []),
]

const segmentsOf = ({ segments }: CardIndex): readonly string[] => segments.map(({ name }) => name.digest)

/** Null of a table of layout 1, whose name is that of other tables too. */
const copyOfTable = (head: StoreHead, table: string): string | null => {
  const stored = head.names[table]
  return stored === undefined ? null : `${stored}-v${versionAt(head, table)}`
}

/** Cards by the copy on this machine, where there is one; what of it cannot be read any more is read in the store. */
async function cardsOf(
  { location, head }: StateOfStore,
  {
    kind,
    table,
    cache,
  }: { readonly kind: CardKind; readonly table: () => ReturnType<typeof openAtHead> } & Pick<AtHand, 'cache'>,
): Promise<StoredCards> {
  const stored: StoredCards = {
    // The image was packed from the rows of the version that is read, in their order.
    cards: async (ids, { ids: known, place }) =>
      isRemote(location)
        ? cardsByIds(await table(), ids)
        : cardsAt(
            await table(),
            ids.map((id) => ({ id, row: place(known.indexOf(id)) })),
          ),
    hashes: async (ids) => hashesByIds(await table(), ids),
  }
  const name = copyOfTable(head, cardTables[kind])
  const copied = cache && name !== null ? await copiedCards(cache, name, table) : null
  if (copied === null) {
    await table()
    return stored
  }
  return {
    cards: (...asked) => copied.cards(...asked).catch(() => stored.cards(...asked)),
    hashes: (...asked) => copied.hashes(...asked).catch(() => stored.hashes(...asked)),
  }
}

/** The image of another version of Audition: searched from memory until the next `audition index` writes a new one. */
async function rebuilt(store: StoreAtHead, kind: CardKind): Promise<CardIndex> {
  const { head } = store
  const table = head.embedding && (await openAtHead(store, vectorTables[kind]))
  const vectors = table && head.embedding && (await storedVectors(table, head.embedding))
  table?.close()
  const meta = await openMeta(store)
  const standingOf = standingsOf(meta === null ? [] : (await readStates(meta, head)).sources)
  meta?.close()
  const cards = await openAtHead(store, cardTables[kind])
  const index = openCardIndex(packCardIndex(await allCards(cards), { vectors, standingOf }))
  cards.close()
  if (index === null) throw new Error('A search image that was just packed cannot be opened.')
  return index
}

/** The cards of one kind as a search image knows them. */
type StoredCards = {
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
async function copiedCards(
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
