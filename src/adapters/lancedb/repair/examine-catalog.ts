import type { Connection } from '@lancedb/lancedb'
import { standingsOf, type Standings } from '../../../trust/standing.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { readStatesCopy, type StatesCopy } from '../integrity/ledger.ts'
import { cardTables, imagesTable, metaTable, vectorTables, type Head } from '../schemas.ts'
import { type StoreLocation, reasonOf } from '../store-location.ts'
import { damagedStore, type EnterTable } from './open-damaged.ts'
import { salvageCards } from './salvage-cards.ts'
import { type SalvagedMeta, salvageMeta } from './salvage-meta.ts'
import { openCardIndex, imageVersion, packCardIndex } from '../../../retrieval/index/card-index.ts'
import { openAtHead } from '../connection.ts'
import { readImage, storedVectors } from '../vectors.ts'
import type { QuantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'

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

/** What is compared with the cards. */
type Derived = {
  readonly location: StoreLocation
  readonly connection: Connection
  readonly head: Head
  readonly kind: CardKind
  readonly enter: EnterTable
  /** All cards of the kind. */
  readonly cards: readonly Card[]
  /** Of the sources as the store remembers them. */
  readonly standingOf: Standings
  /** Asked for when images are compared; null when it cannot be had. */
  readonly model: () => Promise<EmbeddingModel | null>
}

/** What is wrong with what was made from the cards of a kind: their vectors and their search image. */
async function damageOfDerived(derived: Derived): Promise<readonly string[]> {
  const { kind } = derived
  let vectors: QuantisedVectors | null = null
  const damage: string[] = []
  try {
    vectors = await readVectors(derived)
  } catch (error) {
    damage.push(`the table "${vectorTables[kind]}": ${reasonOf(error)}`)
  }
  try {
    await checkImage(derived, vectors, damage.length === 0)
  } catch (error) {
    damage.push(`the search image of ${kind}s: ${reasonOf(error)}`)
  }
  return damage
}

async function readVectors({
  location,
  connection,
  head,
  kind,
  cards,
  enter,
}: Derived): Promise<QuantisedVectors | null> {
  if (head.embedding === null) return null
  enter(vectorTables[kind])
  const table = await openAtHead(location, connection, head, vectorTables[kind])
  try {
    const ids = await table.query().select(['id']).toArrow()
    const known = new Set<unknown>(ids.getChild('id') ?? [])
    const missing = cards.find(({ id }) => !known.has(id))
    if (missing !== undefined || ids.numRows !== cards.length)
      throw new Error(`it holds ${ids.numRows} vectors, which are not those of the ${cards.length} cards`)
    return await storedVectors(table, head.embedding.dimensions)
  } finally {
    table.close()
  }
}

/** @param isComparable - whether all is there that the image was made from */
async function checkImage(
  { location, connection, head, kind, cards, standingOf, model, enter }: Derived,
  vectors: QuantisedVectors | null,
  isComparable: boolean,
): Promise<void> {
  enter(imagesTable)
  const table = await openAtHead(location, connection, head, imagesTable)
  const inMemory = (size: number) => ({ bytes: new Uint8Array(size) })
  const image = await readImage(table, kind, inMemory).finally(() => table.close())
  // Another Audition's is not damage: searches make their own, and the next index run writes it anew.
  if (head.image !== imageVersion) return
  if (image === null) throw new Error('it is gone, or not whole')
  const index = openCardIndex(image.bytes)
  if (index === null) throw new Error('its version is not the one that was committed')
  const missing = cards.find(({ id }) => index.ids.indexOf(id) < 0)
  if (missing !== undefined || index.size !== cards.length)
    throw new Error(`it finds ${index.size} cards, which are not the ${cards.length} that are stored`)
  if (!isComparable) return
  const embedding = head.embedding && (await model())
  if (embedding?.id !== head.embedding?.model) return
  const again = packCardIndex(cards, { vectors, tokensOf: embedding?.ranker?.tokensOf ?? null, standingOf })
  if (Buffer.compare(again, image.bytes) !== 0) throw new Error('its bytes were changed after it was written')
}
