import type { Standings } from '../../../src/trust/standing.ts'
import type { Standing } from '../../../src/store/source-state.ts'
import type { DefenceSettings } from '../../../src/retrieval/defences/defence-settings.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { retrievalDefaults } from '../../../src/retrieval/search/retrieve.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import type { Target } from './attack.ts'
import { isHostile } from './publish.ts'

/** Whose the honest cards are and whose the hostile ones. */
export type Sides = { readonly honest: Standing; readonly hostile: Standing }

export const sidesOf =
  ({ honest, hostile }: Sides): Standings =>
  (source) =>
    isHostile(`${source}/`) ? hostile : honest

/** The same catalog with other standings: what the texts give away stays as it was packed. */
export function withSides(snapshot: CatalogSnapshot, { honest, hostile }: Sides): CatalogSnapshot {
  const { tool, agent } = snapshot.indexes
  return {
    ...snapshot,
    indexes: {
      agent,
      tool: { ...tool, standing: (document) => (isHostile(tool.ids.at(document)) ? hostile : honest) },
    },
  }
}

/** What an attacker holds, in percent. */
export type Held = { readonly first: number; readonly five: number }

/** Over all targets, as a host gets the answers. */
export async function heldBy(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel | null,
  targets: readonly Target[],
  defences: DefenceSettings,
): Promise<Held> {
  const settings = { ...retrievalDefaults, defences }
  let [first, five] = [0, 0]
  for (const { text } of targets) {
    const { candidates } = await search({ snapshot, model, settings }, { kind: 'tool', query: text, k: 5 })
    if (candidates[0] !== undefined && isHostile(candidates[0].card.id)) first += 1
    five += candidates.filter(({ card }) => isHostile(card.id)).length
  }
  return { first: (100 * first) / targets.length, five: (20 * five) / targets.length }
}
