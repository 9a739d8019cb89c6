import type { Card } from '../../domain/card.ts'
import { type CardText, textsOfCard } from './card-texts.ts'
import type { Finding } from './finding.ts'
import { rules } from './rules.ts'

/** The name of a card of some source, against which others are held. */
export type Neighbour = { readonly id: string; readonly name: string; readonly source: string }

/** More findings of one card tell nobody more. */
const mostFindings = 20

/**
 * Looks through all texts of cards for what was written to mislead a model or a reader. Deterministic, and linear in the
 * length of the texts; nothing in a text is obeyed, fetched or run.
 *
 * @param neighbours - names of cards of other sources; those of a card's own source are passed over
 * @returns findings by card id, hard ones first, at most 20 a card; only cards with findings
 */
export function scanCards(
  cards: readonly Card[],
  _neighbours: readonly Neighbour[] = [],
): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, readonly Finding[]>()
  for (const card of cards) {
    const findings = distinct(textsOfCard(card).flatMap(findingsOf))
    if (findings.length > 0) found.set(card.id, findings)
  }
  return found
}

const findingsOf = (text: CardText): Finding[] =>
  rules.flatMap(({ name, inspect }) =>
    inspect(text).map((hit) => ({ rule: name, field: text.field, ...hit })),
  )

/** Each rule once a field, hard before soft. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>()
  for (const finding of [...findings].sort(bySeverity)) {
    const key = `${finding.rule}\n${finding.field}`
    if (!first.has(key)) first.set(key, finding)
  }
  return [...first.values()].slice(0, mostFindings)
}

const bySeverity = (a: Finding, b: Finding): number => rank(a) - rank(b)
const rank = ({ severity }: Finding): number => (severity === 'hard' ? 0 : 1)
