import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { type CardNames, type Neighbour, namesOfCards } from './rules/card-names.ts'
import { type Neighbourhood, neighbourhood } from './rules/look-alike-names.ts'
import { saidByTexts } from './scan-work.ts'

export type { Finding, Neighbour }

/** Names of cards, a few or very many. */
export type Neighbours = readonly Neighbour[] | CardNames

/** More findings of one card tell nobody more. */
const mostFindings = 20

/**
 * Looks through all texts of cards for what was written to mislead a model or a reader. Deterministic, and linear in the
 * length of the texts; nothing in a text is obeyed, fetched or run.
 *
 * @param neighbours - names of cards of other sources; those of a card's own source are passed over. Tables over them
 *   are kept as long as it is, so pass the same one to several calls
 * @returns findings by card id, hard ones first, at most 20 a card; only cards with findings
 */
export function scanCards(
  cards: readonly Card[],
  neighbours: Neighbours = [],
): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, readonly Finding[]>()
  for (const card of cards) {
    const findings = findingsOf(card, saidByTexts(card), neighbours)
    if (findings.length > 0) found.set(card.id, findings)
  }
  return found
}

/** All findings of a card, its texts' among them: hard ones first, at most 20. */
export function findingsOf(card: Card, said: readonly Finding[], neighbours: Neighbours): readonly Finding[] {
  const around = neighbourhoodOf(neighbours)
  return distinct([...said, ...around.lookAlikeFindings(card), ...shadowing(card, said, around)])
}

/** What, said even in passing by a namesake of another source's card, means to be taken for that card. */
const betraying = new Set([
  'overrides-instructions',
  'hides-from-user',
  'asks-for-private-data',
  'steers-other-tools',
])

function shadowing(card: Card, said: readonly Finding[], around: Neighbourhood): readonly Finding[] {
  const instructing = card.kind === 'tool' ? said.find(({ rule }) => betraying.has(rule)) : undefined
  const namesake = instructing === undefined ? undefined : around.namesakes(card)[0]
  if (instructing === undefined || namesake === undefined) return []
  return [
    {
      ...instructing,
      rule: 'shadows-name',
      severity: 'hard',
      message: `has the name of ${namesake.id} and ${instructing.message}`,
    },
  ]
}

const neighbourhoods = new WeakMap<Neighbours, Neighbourhood>()

function neighbourhoodOf(neighbours: Neighbours): Neighbourhood {
  const known = neighbourhoods.get(neighbours)
  if (known !== undefined) return known
  const made = neighbourhood('nameAt' in neighbours ? neighbours : namesOfCards(neighbours))
  neighbourhoods.set(neighbours, made)
  return made
}

/** Each rule once a field, hard before soft. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>()
  for (const finding of [...findings].sort((a, b) => rankOf(a) - rankOf(b))) {
    const key = `${finding.rule}\n${finding.field}`
    if (!first.has(key)) first.set(key, finding)
  }
  return [...first.values()].slice(0, mostFindings)
}

const rankOf = ({ severity }: Finding): number => (severity === 'hard' ? 0 : 1)
