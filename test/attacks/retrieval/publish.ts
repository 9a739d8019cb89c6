import type { Standings } from '../../../src/trust/standing.ts'
import type { Standing } from '../../../src/store/source-state.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import type { HostileDraft } from './attack.ts'

/** How the attacker spreads cards over identities. */
export type Guise = {
  readonly name: string
  /** Sources that the attacker's cards come from. */
  readonly sources: number
  /** Publishers that each source claims to hold. */
  readonly publishersPerSource: number
}

export const guises: readonly Guise[] = [
  { name: '1 source', sources: 1, publishersPerSource: 1 },
  { name: '1 source, 20 publishers', sources: 1, publishersPerSource: 20 },
  { name: '5 sources', sources: 5, publishersPerSource: 1 },
  { name: '20 sources', sources: 20, publishersPerSource: 1 },
]

const prefix = 'vendor-'

export const isHostile = (id: string): boolean => id.startsWith(prefix)

/** Nobody owns any source here; of the attacker's the user may have said more. */
export const standingsWith =
  (hostile: Standing): Standings =>
  (source) =>
    source.startsWith(prefix) ? hostile : 'stranger'

/** Cards of drafts: neighbours in the list, which are for different targets, go to different identities. */
export const published = (drafts: readonly HostileDraft[], guise: Guise): ToolCard[] =>
  drafts.map((draft, place) => {
    const source = `${prefix}${place % guise.sources}`
    const publisher = `${source}-${Math.floor(place / guise.sources) % guise.publishersPerSource}`
    return {
      kind: 'tool',
      id: `${source}/${draft.name}-${place}`,
      source,
      publisher,
      parameters: [],
      examples: [],
      tags: [],
      ...draft,
      provenance: { reader: 'tool-jsonl', location: `${source}.jsonl` },
    }
  })
