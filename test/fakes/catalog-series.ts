import { contentHash } from '../../src/catalog/identity.ts'
import type { CatalogChange, CatalogWriter, SourceState } from '../../src/catalog/ports.ts'
import type { Card, CardKind } from '../../src/domain/card.ts'
import { agentCard, toolCard } from './fake-audition.ts'

/**
 * A catalog that changes with every number from 1 on: odd numbers change tools only, even ones agents only, every
 * seventh both. Each step adds, changes and removes cards.
 */
export function catalogAt(number: number): readonly Card[] {
  const turns = (kind: CardKind): number =>
    Array.from({ length: number }, (_, index) => index + 1).filter(
      (step) => step % 7 === 0 || (step % 2 === 1) === (kind === 'tool'),
    ).length
  return [...cardsAfter(turns('tool'), 'tool', 150), ...cardsAfter(turns('agent'), 'agent', 60)]
}

function cardsAfter(turns: number, kind: CardKind, count: number): readonly Card[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  return numbers
    .filter((index) => (index + turns) % 5 !== 0)
    .map((index) => {
      const id = `${kind}-source-${index % 3}/card-${index}`
      const description = `card ${index} after ${Math.floor((index + turns) / 3)} changes`
      return kind === 'tool' ? toolCard(id, { description }) : agentCard(id, { description })
    })
}

const sourceOf = (number: number): SourceState => ({
  id: 'series',
  location: '/series',
  reader: 'fake',
  fingerprint: String(number),
  indexedAt: null,
  tools: 0,
  agents: 0,
  problems: [],
})

/** The number that a store's states of sources tell; 0 when there is none. */
export const numberIn = (sources: readonly SourceState[]): number =>
  Number(sources.find(({ id }) => id === 'series')?.fingerprint ?? 0)

/** What brings a store, whatever it holds, to the catalog of a number. */
export async function changeTo(writer: CatalogWriter, number: number): Promise<CatalogChange> {
  const cards = catalogAt(number)
  const sources = ['tool', 'agent'].flatMap((kind) => [0, 1, 2].map((part) => `${kind}-source-${part}`))
  const known = new Map(
    (await Promise.all(sources.map((id) => writer.hashes(id)))).flatMap((hashes) => [...hashes]),
  )
  const present = new Set(cards.map(({ id }) => id))
  return {
    put: cards.filter((card) => known.get(card.id) !== contentHash(card)),
    remove: [...known.keys()].filter((id) => !present.has(id)),
    sources: [sourceOf(number)],
    removeSources: [],
  }
}
