import type { Table } from '@lancedb/lancedb'
import { contentHash } from '../../../catalog/identity.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { batches } from '../../../domain/grouped.ts'
import { isJsonObject } from '../../../domain/json.ts'
import { unsealed } from '../../../domain/text/sealed-json.ts'
import { among, cardTables } from '../schemas.ts'
import { reasonOf } from '../store-location.ts'
import { type DamagedStore, readableRows } from './open-damaged.ts'

/** Cards of one kind that could be read. */
type SalvagedCards = {
  /** Each id once. */
  readonly cards: readonly Card[]
  /** Ids by their own column, when something is wrong: also of cards that cannot be read. */
  readonly ids: readonly string[]
  /** What is wrong with their table; null when each card can be read, is what was written, and is found by its id. */
  readonly damage: string | null
}

/** Ids per question. */
const idsAtOnce = 400

/**
 * Reads the cards of a kind. A card counts when it is one of its kind and has the checksum that was written with it, or, in a store of
 * an older Audition, hashes to a hash that was written with the cards: other bytes were changed after they were written. Where the
 * hashes cannot be read, or are another version's, what parses counts.
 *
 * @param version - the version that was committed; null takes the newest
 */
export async function salvageCards(
  store: DamagedStore,
  kind: CardKind,
  version: number | null,
): Promise<SalvagedCards> {
  const { table, damage } = await store.open(cardTables[kind], version)
  if (table === null) return { cards: [], ids: [], damage }
  try {
    const [texts, hashes] = [await readableRows(table, 'card'), await readableRows(table, 'hash')]
    const parsed = texts.values.flatMap((text) => cardOf(text, kind) ?? [])
    const known = new Set(hashes.values)
    const whole = parsed.filter(({ isSealed, card }) => isSealed || known.has(contentHash(card)))
    const isHashed = hashes.unreadable === 0 && whole.length > 0
    const cards = (isHashed ? whole : parsed).map(({ card }) => [card.id, card] as const)
    const found = [...new Map(cards).values()]
    const broken = texts.values.length - found.length + texts.unreadable
    const wrong = damage ?? (broken > 0 ? `${broken} of its rows cannot be read, or were changed` : null)
    if (wrong !== null) return { cards: found, ids: (await readableRows(table, 'id')).values, damage: wrong }
    return { cards: found, ids: [], damage: await damageOfColumns(table, found) }
  } catch (error) {
    return { cards: [], ids: [], damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

/** A card, and whether its own checksum says that it is what was written. */
type ParsedCard = { readonly card: Card; readonly isSealed: boolean }

function cardOf(text: string, kind: CardKind): ParsedCard | null {
  try {
    const found = unsealed(text)
    const card: unknown = found.kind === 'changed' ? null : JSON.parse(found.json)
    return isJsonObject(card) &&
      card.kind === kind &&
      typeof card.id === 'string' &&
      typeof card.source === 'string'
      ? { card: card as unknown as Card, isSealed: found.kind === 'whole' }
      : null
  } catch {
    return null
  }
}

/** What is wrong with the columns that find cards, and with the index of ids. */
async function damageOfColumns(table: Table, cards: readonly Card[]): Promise<string | null> {
  try {
    for (const batch of batches(cards, idsAtOnce)) {
      const rows = (await table
        .query()
        .where(`id ${among(batch.map(({ id }) => id))}`)
        .select(['id', 'source', 'hash', 'card'])
        .toArray()) as { id: string; source: string; hash: string; card: string }[]
      const found = new Map(rows.map((row) => [row.id, row]))
      const wrong = batch.find((card) => {
        const row = found.get(card.id)
        return row?.source !== card.source || row.hash !== contentHash(card)
      })
      if (wrong !== undefined) return `card "${wrong.id}" is not found by its id`
    }
    return null
  } catch (error) {
    return `its cards are not found by their ids (${reasonOf(error)})`
  }
}
