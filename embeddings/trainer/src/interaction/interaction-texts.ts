import { matchedLimits, mostQueryTokens } from '../../../../src/retrieval/rank/soft-match.ts'
import type { TokenTexts } from '../contrastive/texts.ts'
import { embeddedFields } from '../recipe.ts'

/** Tokens of a card as a search matches them: distinct ones of the name, and of what says what it does. */
export type MatchedCard = { readonly name: Uint32Array; readonly text: Uint32Array }

/** Training texts as a search matches them. */
type InteractionTexts = {
  query(number: number): Uint32Array
  card(number: number): MatchedCard
}

/** Each text is cut once, when it is first asked for. */
export function interactionTexts({ tokens, fields, starts }: TokenTexts): InteractionTexts {
  const queries = new Map<number, Uint32Array>()
  const cards = new Map<number, MatchedCard>()
  const first = (number: number, field: number, limit: number): readonly number[] => {
    const found: number[] = []
    for (let at = starts[number]!; at < starts[number + 1]! && found.length < limit; at += 1)
      if (fields[at] === field) found.push(tokens[at]!)
    return found
  }
  const ofField = (number: number, field: keyof typeof matchedLimits): readonly number[] =>
    first(number, 1 + embeddedFields.indexOf(field), matchedLimits[field])
  return {
    query: (number) => kept(queries, number, () => distinct(first(number, 0, mostQueryTokens))),
    card: (number) =>
      kept(cards, number, () => ({
        name: distinct(ofField(number, 'name')),
        text: distinct([...ofField(number, 'description'), ...ofField(number, 'parameters')]),
      })),
  }
}

const distinct = (list: readonly number[]): Uint32Array => Uint32Array.from(new Set(list))

function kept<T>(map: Map<number, T>, number: number, make: () => T): T {
  const known = map.get(number) ?? make()
  map.set(number, known)
  return known
}
