import type { Card } from '../../domain/card.ts'
import { oneLine } from '../answers/quoted-text.ts'

/** The name to call a card by and the server to call it on, where its id, `source/name`, does not say them already. */
export function nameFields(card: Card): { readonly name?: string; readonly server?: string } {
  const key = card.id.slice(card.source.length + 1)
  const server = card.kind === 'tool' ? card.server : undefined
  return {
    ...(key === card.name ? {} : { name: oneLine(card.name, 200) }),
    ...(server === undefined || server === card.source ? {} : { server: oneLine(server, 80) }),
  }
}
