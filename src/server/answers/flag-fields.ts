import { flagNames } from '../../domain/card-flag.ts'
import type { Card } from '../../domain/card.ts'

/** Names shown of one card: what else was found tells a model nothing more. */
const most = 4

/** What the scan at import found in a card, by the names of its rules: our words, never the publisher's. */
export function flagFields(card: Card): { readonly flags?: string[] } {
  const names = flagNames(card)
  return names.length === 0 ? {} : { flags: names.slice(0, most) }
}

/** The same for a readable line; empty for a card without flags. */
export function flagLine(card: Card): string {
  const { flags } = flagFields(card)
  return flags === undefined ? '' : ` [flagged: ${flags.join(', ')}]`
}
