import { textsOfCard } from '../../trust/scan/card-texts.ts'
import { withoutSentences } from '../../trust/scan/cut-sentences.ts'
import type { Card } from '../../domain/card.ts'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import type { CardFlag } from '../../domain/card-flag.ts'

/**
 * A card as searches deliver it: the sentences that the scan suspects are cut out, and what stands in their place names the rule. `describe` has
 * the card whole. Names stay, since a caller needs them, and so does what a person released.
 */
export function deliveredCard<T extends Card>(card: T): T {
  const suspected = new Map<string, CardFlag[]>()
  for (const flag of card.flags ?? [])
    if (flag.severity === 'soft' && flag.spans !== undefined)
      suspected.set(flag.field, [...(suspected.get(flag.field) ?? []), flag])
  if (suspected.size === 0) return card
  const cuts = new Map<string, string>()
  for (const { field, register, text } of textsOfCard(card)) {
    const flags = register === 'name' ? undefined : suspected.get(field)
    if (flags !== undefined) cuts.set(text, withoutSentences(text, flags))
  }
  return cuts.size === 0 ? card : { ...card, ...textsCut(card, cuts) }
}

/** Fields that searches show texts of. */
const shown = [
  'description',
  'examples',
  'parameters',
  'inputSchema',
  'outputSchema',
  'documentation',
] as const

function textsCut(card: Card, cuts: ReadonlyMap<string, string>): Partial<Card> {
  const fields = card as unknown as { readonly [field: string]: JsonValue | undefined }
  return Object.fromEntries(
    shown.flatMap((field) => {
      const value = fields[field]
      return value === undefined ? [] : [[field, cutIn(value, cuts)]]
    }),
  ) as Partial<Card>
}

/** Deeper than any schema that gets this far. */
const deepest = 250

function cutIn(value: JsonValue, cuts: ReadonlyMap<string, string>, depth = 0): JsonValue {
  if (typeof value === 'string') return cuts.get(value) ?? value
  if (depth > deepest) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => cutIn(item, cuts, depth + 1))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutIn(item, cuts, depth + 1)]))
}
