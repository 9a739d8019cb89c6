import { flagNames } from '../../domain/card-flag.ts'
import type { Card } from '../../domain/card.ts'

/** Names shown of one card: what else was found tells a model nothing more. */
const most = 4

/** What the scan at import found in a card, by the names of its rules: our words, never the publisher's. */
export const flagFields = (card: Card): { readonly flags?: string[] } => ruleFields(flagNames(card))

/** The same for a readable line; empty for a card without flags. */
export const flagLine = (card: Card): string => ruleLine(flagNames(card))

/** What a scan found, by the names of its rules. */
export const ruleFields = (names: readonly string[] = []): { readonly flags?: string[] } =>
  names.length === 0 ? {} : { flags: names.slice(0, most) }

/** The same for a readable line; empty without any. */
export function ruleLine(names: readonly string[] = []): string {
  const { flags } = ruleFields(names)
  return flags === undefined ? '' : ` [flagged: ${flags.join(', ')}]`
}
