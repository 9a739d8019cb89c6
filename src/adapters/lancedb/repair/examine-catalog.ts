import type { Connection } from '@lancedb/lancedb'
import { standingsOf } from '../../../catalog/standing.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { cardTables, imagesTable, metaTable, vectorTables } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import { damageOfDerived } from './damage-of-derived.ts'
import { damagedStore } from './open-damaged.ts'
import { salvageCards } from './salvage-cards.ts'
import { type SalvagedMeta, salvageMeta } from './salvage-meta.ts'

/** A catalog as far as it can be read, and what is wrong with it. */
export type ExaminedCatalog = Omit<SalvagedMeta, 'damage'> & {
  readonly cards: readonly Card[]
  /** What is wrong with the head and the states of sources; null when nothing is. */
  readonly metaDamage: string | null
  /** What is wrong with cards: some may be gone. */
  readonly cardDamage: readonly string[]
  /** What is wrong with what is made from the cards: nothing is lost by it. */
  readonly derivedDamage: readonly string[]
}

/** Reads all of a catalog, and changes nothing. */
export async function examineCatalog(
  location: StoreLocation,
  connection: Connection,
  model: () => Promise<EmbeddingModel | null>,
): Promise<ExaminedCatalog> {
  const store = damagedStore(location, connection)
  try {
    const { damage, ...meta } = await salvageMeta(store)
    const { head } = meta
    const standingOf = standingsOf(meta.states)
    // A store that was never committed holds nothing that counts, however much of its first run lies there.
    if (damage === null && head === null)
      return { ...meta, cards: [], metaDamage: null, cardDamage: [], derivedDamage: [] }
    const cards: Card[] = []
    const cardDamage: string[] = []
    const derivedDamage: string[] = []
    for (const kind of ['tool', 'agent'] as const) {
      const found = await salvageCards(store, kind, head?.versions[cardTables[kind]] ?? null)
      cards.push(...found.cards)
      const wrong = found.damage ?? (head === null ? null : countedWrong(kind, found.cards.length, head))
      if (wrong !== null) cardDamage.push(`the table "${cardTables[kind]}": ${wrong}`)
      else if (head !== null)
        derivedDamage.push(
          ...(await damageOfDerived({ connection, head, kind, cards: found.cards, standingOf, model })),
        )
    }
    const metaDamage = damage === null ? null : `the table "${metaTable}": ${damage}`
    return { ...meta, cards, metaDamage, cardDamage, derivedDamage: [...new Set(derivedDamage)] }
  } finally {
    store.close()
  }
}

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
