import type { Card, CardKind } from '../../../domain/card.ts'
import {
  type CardIndex,
  comparesByBytes,
  imageVersion,
  packCardIndex,
} from '../../../retrieval/index/card-index.ts'
import type { QuantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import { stringsIn } from '../../../retrieval/index/string-table.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { type Standings, standingsOf } from '../../../trust/standing.ts'
import { openSharedBytes } from '../../../vectors/kernels/dense-scan.ts'
import { idsIn, type StoreConnection, openAtHead, type StoreAtHead } from '../connection.ts'
import { readStatesCopy, type StatesCopy } from '../integrity/ledger.ts'
import { digestOfImage, openIndex } from '../open-index.ts'
import { cardKinds, cardTables, imagesTable, metaTable, vectorTables } from '../schemas.ts'
import { reasonOf } from '../store-location.ts'
import { storedVectors } from '../vectors.ts'
import { DamagedStore, type EnterTable } from './open-damaged.ts'
import { salvageCards, type SalvagedMeta, salvageMeta } from './salvage-cards.ts'

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

/** What an examination needs besides the store. */
type Means = {
  /** Asked for when images are compared; null when it cannot be had. */
  readonly model: () => Promise<EmbeddingModel | null>
  readonly enter: EnterTable
}

/** Reads all of a catalog, and changes nothing. */
export async function examineCatalog(open: StoreConnection, means: Means): Promise<ExaminedCatalog> {
  const store = new DamagedStore(open, means.enter)
  try {
    const { damage, ...salvaged } = await salvageMeta(store)
    const meta = {
      ...salvaged,
      ...(damage === null ? {} : withCopy(salvaged, readStatesCopy(open.location))),
    }
    const { head } = meta
    // A store that was never committed holds nothing that counts, however much of its first run lies there.
    if (damage === null && head === null)
      return { ...meta, cards: [], metaDamage: null, cardDamage: [], lostIds: [], derivedDamage: [] }
    const at = head && { ...open, ...means, head, standingOf: standingsOf(meta.states) }
    const kinds: ExaminedKind[] = []
    for (const kind of cardKinds) kinds.push(await examineKind(store, at, kind))
    return {
      ...meta,
      cards: kinds.flatMap(({ cards }) => cards),
      metaDamage: damage === null ? null : `the table "${metaTable}": ${damage}`,
      cardDamage: kinds.flatMap(({ cardDamage }) => cardDamage),
      lostIds: kinds.flatMap(({ lostIds }) => lostIds),
      derivedDamage: [...new Set(kinds.flatMap(({ derivedDamage }) => derivedDamage))],
    }
  } finally {
    store.close()
  }
}

type ExaminedKind = Pick<ExaminedCatalog, 'cards' | 'cardDamage' | 'lostIds' | 'derivedDamage'>

/** What the tables of a catalog are compared by, when its head is known. */
type Comparing = StoreAtHead & Means & { readonly standingOf: Standings }

async function examineKind(store: DamagedStore, at: Comparing | null, kind: CardKind): Promise<ExaminedKind> {
  const { cards, ids, damage } = await salvageCards(store, kind, at?.head.versions[cardTables[kind]] ?? null)
  const counted = at === null ? cards.length : kind === 'tool' ? at.head.tools : at.head.agents
  const miscounted = `it holds ${cards.length} cards where ${counted} were committed`
  const wrong = damage ?? (cards.length === counted ? null : miscounted)
  if (wrong === null) {
    const derivedDamage = at === null ? [] : await damageOfDerived({ ...at, kind, cards })
    return { cards, cardDamage: [], lostIds: [], derivedDamage }
  }
  const known = at === null ? [] : await knownIds({ ...at, kind })
  const here = new Set(cards.map(({ id }) => id))
  const lostIds = (known.length > 0 ? known : ids).filter((id) => !here.has(id))
  return { cards, cardDamage: [`the table "${cardTables[kind]}": ${wrong}`], lostIds, derivedDamage: [] }
}

/** What is known of sources, with what only the copy knows. */
function withCopy({ states, reviews, unread }: States, copy: StatesCopy | null): States {
  const [known, decided] = [new Set(states.map(({ id }) => id)), new Set(reviews.map(({ key }) => key))]
  const copied = {
    states: (copy?.sources ?? []).filter(({ id }) => !known.has(id)),
    reviews: (copy?.reviews ?? []).filter(({ key }) => !decided.has(key)),
  }
  const back = new Set([...copied.states.map(({ id }) => id), ...copied.reviews.map(({ key }) => key)])
  return {
    states: [...states, ...copied.states],
    reviews: [...reviews, ...copied.reviews],
    unread: unread.filter((name) => !back.has(name)),
  }
}

type States = Pick<SalvagedMeta, 'states' | 'reviews' | 'unread'>

/** Every table of a catalog, in the order in which a repaired one is put in place: the head comes last. */
export const catalogTables: readonly string[] = [
  ...Object.values(cardTables),
  ...Object.values(vectorTables),
  imagesTable,
  metaTable,
]

/** The tables that were made from the cards of a kind. */
type DerivedTables = StoreAtHead & { readonly kind: CardKind; readonly enter: EnterTable }

/** Ids of the cards of a kind by what was made from them, when the cards themselves are damaged; none where that is damaged too. */
async function knownIds(tables: DerivedTables): Promise<readonly string[]> {
  for (const find of [idsInImage, idsOfVectors]) {
    const ids = await find(tables).catch(() => [])
    if (ids.length > 0) return ids
  }
  return []
}

async function idsInImage(tables: DerivedTables): Promise<readonly string[]> {
  const index = await indexOf(tables)
  return index ? [...stringsIn(index.ids)] : []
}

const idsOfVectors = async (tables: DerivedTables): Promise<readonly string[]> =>
  idsIn(await openDerived(tables, vectorTables[tables.kind]))

/** The search image, opened with the segments that it names; null when it is gone, not whole, or of another version. */
async function indexOf(tables: DerivedTables): Promise<CardIndex | null> {
  const images = await openDerived(tables, imagesTable)
  const own = { kind: tables.kind, images: async () => images, cache: null, opened: [] }
  return openIndex({ ...tables, connect: async () => tables.connection }, own).finally(() => images.close())
}

function openDerived({ enter, ...store }: DerivedTables, name: string) {
  enter(name)
  return openAtHead(store, name)
}

/** What is compared with the cards of a kind. */
type Derived = Comparing & { readonly kind: CardKind; readonly cards: readonly Card[] }

/** What is wrong with what was made from the cards of a kind: their vectors and their search image. */
async function damageOfDerived(derived: Derived): Promise<readonly string[]> {
  const { kind } = derived
  const damageOf = (what: string) => (error: unknown) => ({ damage: `${what}: ${reasonOf(error)}` })
  const vectors = await readVectors(derived).then(
    (read) => ({ read }),
    damageOf(`the table "${vectorTables[kind]}"`),
  )
  const image = await checkImage(derived, 'read' in vectors ? vectors : null).then(
    () => null,
    damageOf(`the search image of ${kind}s`),
  )
  return [vectors, image].flatMap((one) => (one !== null && 'damage' in one ? one.damage : []))
}

async function readVectors(derived: Derived): Promise<QuantisedVectors | null> {
  const { head, kind, cards } = derived
  if (head.embedding === null) return null
  const table = await openDerived(derived, vectorTables[kind])
  try {
    const ids = await table.query().select(['id']).toArrow()
    const known = new Set<unknown>(ids.getChild('id') ?? [])
    const missing = cards.find(({ id }) => !known.has(id))
    if (missing !== undefined || ids.numRows !== cards.length)
      throw new Error(`it holds ${ids.numRows} vectors, which are not those of the ${cards.length} cards`)
    return await storedVectors(table, head.embedding)
  } finally {
    table.close()
  }
}

/** @param vectors - null when those cannot be read that the image was made from */
async function checkImage(
  derived: Derived,
  vectors: { readonly read: QuantisedVectors | null } | null,
): Promise<void> {
  const { head, cards, standingOf, model } = derived
  // Another Audition's is not damage: searches make their own, and the next index run writes it anew.
  if (head.image !== imageVersion) return
  const index = await indexOf(derived)
  if (index === null) throw new Error('it is gone, not whole, or not of the version that was committed')
  const missing = cards.find(({ id }) => index.ids.indexOf(id) < 0)
  if (missing !== undefined || index.size !== cards.length)
    throw new Error(`it finds ${index.size} cards, which are not the ${cards.length} that are stored`)
  for (const { name, image } of index.segments)
    if (digestOfImage(openSharedBytes(image).bytes) !== name.digest) throw new Error(bytesChanged)
  const { bytes } = openSharedBytes(index.image)
  if (vectors === null || index.segments.length > 0 || !comparesByBytes(bytes)) return
  const embedding = head.embedding && (await model())
  if (embedding?.id !== head.embedding?.model) return
  const tokensOf = embedding?.ranker?.tokensOf ?? null
  const again = packCardIndex(cards, { vectors: vectors.read, tokensOf, standingOf })
  if (Buffer.compare(again, bytes) !== 0) throw new Error(bytesChanged)
}

const bytesChanged = 'its bytes were changed after it was written'
