import type { Table } from '@lancedb/lancedb'
import { contentHash } from '../../../catalog/identity.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { isJsonObject } from '../../../domain/json.ts'
import { batches } from '../batches.ts'
import { quoted } from '../connection.ts'
import { cardTables } from '../schemas.ts'
import { reasonOf } from '../store-error.ts'
import type { DamagedStore } from './open-damaged.ts'
import { readableRows } from './readable-rows.ts'

/** Cards of one kind that could be read. */
export type SalvagedCards = {
  /** Each id once. */
  readonly cards: readonly Card[]
  /** What is wrong with their table; null when each card can be read, is what was written, and is found by its id. */
  readonly damage: string | null
}

/** Ids per question. */
const idsAtOnce = 400

/**
 * Reads the cards of a kind. A card counts when it is one of its kind and hashes to a hash that was written with the cards: other
 * bytes were changed after they were written. Where the hashes cannot be read, or are another version's, what parses counts.
 *
 * @param version - the version that was committed; null takes the newest
 */
export async function salvageCards(
  store: DamagedStore,
  kind: CardKind,
  version: number | null,
): Promise<SalvagedCards> {
  const { table, damage } = await store.open(cardTables[kind], version)
  if (table === null) return { cards: [], damage }
  try {
    const [texts, hashes] = [await readableRows(table, 'card'), await readableRows(table, 'hash')]
    const parsed = texts.values.flatMap((text) => cardOf(text, kind) ?? [])
    const known = new Set(hashes.values)
    const whole = parsed.filter((card) => known.has(contentHash(card)))
    const isHashed = hashes.unreadable === 0 && whole.length > 0
    const found = [...new Map((isHashed ? whole : parsed).map((card) => [card.id, card])).values()]
    const broken = texts.values.length - found.length + texts.unreadable
    if (damage !== null) return { cards: found, damage }
    if (broken > 0) return { cards: found, damage: `${broken} of its rows cannot be read, or were changed` }
    return { cards: found, damage: await damageOfColumns(table, found) }
  } catch (error) {
    return { cards: [], damage: damage ?? reasonOf(error) }
  } finally {
    table.close()
  }
}

function cardOf(text: string, kind: CardKind): Card | null {
  try {
    const card: unknown = JSON.parse(text)
    return isJsonObject(card) &&
      card.kind === kind &&
      typeof card.id === 'string' &&
      typeof card.source === 'string'
      ? (card as unknown as Card)
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
        .where(`id IN (${batch.map(({ id }) => quoted(id)).join(', ')})`)
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
