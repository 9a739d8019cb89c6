import { contentHash } from '../../src/catalog/identity.ts'
import type { CatalogChange, CatalogWriter } from '../../src/store/catalog-writer.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import type { Card, CardKind } from '../../src/domain/card.ts'
import { agentCard, toolCard } from './fake-audition.ts'

/** How often the tools and the agents of the series have changed. */
export type Place = { readonly [kind in CardKind]: number }

/** The place after one more change of one kind. */
export const movedOn = (place: Place, kind: CardKind): Place => ({ ...place, [kind]: place[kind] + 1 })

/** A catalog that is another one at every place: each change adds, changes and removes cards of its kind. */
export const catalogAt = (place: Place): readonly Card[] => [
  ...cardsAfter(place.tool, 'tool', 150),
  ...cardsAfter(place.agent, 'agent', 60),
]

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

const sourceAt = (place: Place): SourceState => ({
  id: 'series',
  location: '/series',
  reader: 'fake',
  fingerprint: JSON.stringify(place),
  indexedAt: null,
  tools: 0,
  agents: 0,
  problems: [],
})

/** The place that a store's states of sources tell. */
export const placeIn = (sources: readonly SourceState[]): Place => {
  const written = sources.find(({ id }) => id === 'series')?.fingerprint
  return written === undefined ? { tool: 0, agent: 0 } : (JSON.parse(written) as Place)
}

/** What brings a store, whatever it holds, to a place of the series. */
export async function changeTo(writer: CatalogWriter, place: Place): Promise<CatalogChange> {
  const cards = catalogAt(place)
  const sources = ['tool', 'agent'].flatMap((kind) => [0, 1, 2].map((part) => `${kind}-source-${part}`))
  const known = new Map(
    (await Promise.all(sources.map((id) => writer.hashes(id)))).flatMap((hashes) => [...hashes]),
  )
  const present = new Set(cards.map(({ id }) => id))
  return {
    put: cards.filter((card) => known.get(card.id) !== contentHash(card)),
    remove: [...known.keys()].filter((id) => !present.has(id)),
    sources: [sourceAt(place)],
    removeSources: [],
  }
}
