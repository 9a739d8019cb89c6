import type { Connection } from '@lancedb/lancedb'
import { standingsOf } from '../../../trust/standing.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { readStatesCopy, type StatesCopy } from '../integrity/states-copy.ts'
import { cardTables, imagesTable, metaTable, vectorTables } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import { damageOfDerived, type Derived } from './damage-of-derived.ts'
import { damagedStore, type EnterTable } from './open-damaged.ts'
import { salvageCards } from './salvage-cards.ts'
import { type SalvagedMeta, salvageMeta } from './salvage-meta.ts'
import { openCardIndex } from '../../../retrieval/index/card-index.ts'
import { openAtHead } from '../connection.ts'
import { readImage } from '../commit/image-table.ts'

/** A catalog as far as it can be read, and what is wrong with it. */
export type ExaminedCatalog = Omit<SalvagedMeta, 'damage'> & {
  readonly cards: readonly Card[]
  /** What is wrong with the head and the states of sources; null when nothing is. */
  readonly metaDamage: string | null
  /** What is wrong with cards: some may be gone. */
  readonly cardDamage: readonly string[]
  /** Ids of cards that are gone, as far as something tells them. */
  readonly lostIds: readonly string[]
  /** What is wrong with what is made from the cards: nothing is lost by it. */
  readonly derivedDamage: readonly string[]
}

/** Reads all of a catalog, and changes nothing. */
export async function examineCatalog(
  location: StoreLocation,
  connection: Connection,
  model: () => Promise<EmbeddingModel | null>,
  enter: EnterTable,
): Promise<ExaminedCatalog> {
  const store = damagedStore(location, connection, enter)
  try {
    const { damage, ...salvaged } = await salvageMeta(store)
    const meta = { ...salvaged, ...(damage === null ? {} : withCopy(salvaged, readStatesCopy(location))) }
    const { head } = meta
    const standingOf = standingsOf(meta.states)
    // A store that was never committed holds nothing that counts, however much of its first run lies there.
    if (damage === null && head === null)
      return { ...meta, cards: [], metaDamage: null, cardDamage: [], lostIds: [], derivedDamage: [] }
    const cards: Card[] = []
    const cardDamage: string[] = []
    const derivedDamage: string[] = []
    const lostIds: string[] = []
    for (const kind of ['tool', 'agent'] as const) {
      const found = await salvageCards(store, kind, head?.versions[cardTables[kind]] ?? null)
      cards.push(...found.cards)
      const wrong = found.damage ?? (head === null ? null : countedWrong(kind, found.cards.length, head))
      if (wrong !== null) {
        cardDamage.push(`the table "${cardTables[kind]}": ${wrong}`)
        const known = head === null ? [] : await knownIds({ location, connection, head, kind, enter })
        const here = new Set(found.cards.map(({ id }) => id))
        lostIds.push(...(known.length > 0 ? known : found.ids).filter((id) => !here.has(id)))
      } else if (head !== null)
        derivedDamage.push(
          ...(await damageOfDerived({
            location,
            connection,
            head,
            kind,
            enter,
            cards: found.cards,
            standingOf,
            model,
          })),
        )
    }
    const metaDamage = damage === null ? null : `the table "${metaTable}": ${damage}`
    return { ...meta, cards, metaDamage, cardDamage, lostIds, derivedDamage: [...new Set(derivedDamage)] }
  } finally {
    store.close()
  }
}

/** What is known of sources, with what only the copy knows. */
function withCopy({ states, reviews }: States, copy: StatesCopy | null): States {
  const [known, decided] = [new Set(states.map(({ id }) => id)), new Set(reviews.map(({ key }) => key))]
  return {
    states: [...states, ...(copy?.sources ?? []).filter(({ id }) => !known.has(id))],
    reviews: [...reviews, ...(copy?.reviews ?? []).filter(({ key }) => !decided.has(key))],
  }
}

type States = Pick<SalvagedMeta, 'states' | 'reviews'>

const countedWrong = (
  kind: CardKind,
  found: number,
  { tools, agents }: { readonly tools: number; readonly agents: number },
): string | null => {
  const counted = kind === 'tool' ? tools : agents
  return found === counted ? null : `it holds ${found} cards where ${counted} were committed`
}

/** Every table of a catalog, in the order in which a repaired one is put in place: the head comes last. */
export const catalogTables: readonly string[] = [
  ...Object.values(cardTables),
  ...Object.values(vectorTables),
  imagesTable,
  metaTable,
]

/** Ids of the cards of a kind by what was made from them, when the cards themselves are damaged; none where that is damaged too. */
async function knownIds(
  derived: Omit<Derived, 'cards' | 'standingOf' | 'model'>,
): Promise<readonly string[]> {
  for (const idsIn of [idsInImage, idsOfVectors]) {
    const ids = await idsIn(derived).catch(() => [])
    if (ids.length > 0) return ids
  }
  return []
}

type From = Parameters<typeof knownIds>[0]

async function idsInImage({ location, connection, head, kind, enter }: From): Promise<readonly string[]> {
  enter(imagesTable)
  const table = await openAtHead(location, connection, head, imagesTable)
  const inMemory = (size: number) => ({ bytes: new Uint8Array(size) })
  const image = await readImage(table, kind, inMemory).finally(() => table.close())
  const ids = image && openCardIndex(image.bytes)?.ids
  return ids ? Array.from({ length: ids.size }, (_, at) => ids.at(at)) : []
}

async function idsOfVectors({ location, connection, head, kind, enter }: From): Promise<readonly string[]> {
  enter(vectorTables[kind])
  const table = await openAtHead(location, connection, head, vectorTables[kind])
  const rows = await table
    .query()
    .select(['id'])
    .toArrow()
    .finally(() => table.close())
  return [...(rows.getChild('id') ?? [])] as string[]
}
