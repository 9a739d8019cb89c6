import type { Audition } from '../../compose/audition.ts'
import type { Card } from '../../domain/card.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { fitText } from '../render/text-width.ts'

/**
 * Cards by id, in the order asked, each once.
 *
 * @throws Error naming the first id that is not in search: where it is held, else the closest ones that are
 */
export async function knownCards(audition: Audition, ids: readonly string[]): Promise<readonly Card[]> {
  const wanted = [...new Set(ids)]
  const cards = await audition.cards(wanted)
  const unknown = wanted.find((id) => !cards.some((card) => card.id === id))
  if (unknown !== undefined) throw new Error(await unknownId(audition, unknown))
  return cards
}

/** The card of an id. @throws Error as {@link knownCards} */
export const knownCard = async (audition: Audition, id: string): Promise<Card> =>
  (await knownCards(audition, [id]))[0]!

/** An id in a sentence: one that fills lines is cut. */
const shown = (id: string): string => fitText(printableLine(id), 120)

async function unknownId(audition: Audition, id: string): Promise<string> {
  const holder = (await audition.reviews()).find(({ held }) => held.some(({ card }) => card.id === id))
  if (holder !== undefined) {
    const source = printableLine(holder.key)
    return `"${printableLine(id)}" is held, and not in search. \`audition sources show ${source}\` says why, and how to accept it.`
  }
  const closest = await audition.closestIds(id, 3)
  const said = `no tool or agent "${shown(id)}".`
  return closest.length === 0
    ? `${said} Run \`audition search "<task>"\` to find ids.`
    : `${said} Closest ids: ${closest.map(shown).join(', ')}.`
}
