import { rank } from '../../../src/domain/ranking.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'
import type { DatasetPart } from '../../../src/evaluation/datasets/dataset.ts'
import type { SearchRequest } from '../../../src/retrieval/answer.ts'
import type { DefenceSettings } from '../../../src/retrieval/defences/defence-settings.ts'
import { standBack } from '../../../src/retrieval/defences/stand-back.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { retrievalDefaults } from '../../../src/retrieval/search/retrieve.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import type { Target } from './attack.ts'
import { isHostile } from './publish.ts'
import { noDefences } from '../../fakes/no-defences.ts'

const places = 5

/** Share of the first five places over all targets that the attacker holds, in percent, as a host gets them. */
export async function placesHeld(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel | null,
  targets: readonly Target[],
  defences: DefenceSettings,
  pack: NonNullable<SearchRequest['pack']> = 'diverse',
): Promise<number> {
  const settings = { ...retrievalDefaults, defences }
  let held = 0
  for (const { text } of targets) {
    const request = { kind: 'tool', query: text, k: places, pack } as const
    const { candidates } = await search({ snapshot, model, settings }, request)
    held += candidates.filter(({ card }) => isHostile(card.id)).length
  }
  return (100 * held) / (places * targets.length)
}

/** Candidates from which the first five are taken again. */
const looked = 40

/**
 * The least that any defence within the bound for strangers leaves the attacker, in percent: what remains to one that knows every
 * hostile card and no other.
 */
export async function leastHeld(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel | null,
  targets: readonly Target[],
): Promise<number> {
  const index = snapshot.indexes.tool
  const settings = { ...retrievalDefaults, defences: noDefences }
  let held = 0
  for (const { text } of targets) {
    const request = { kind: 'tool', query: text, k: looked, pack: 'ranking' } as const
    const { candidates } = await search({ snapshot, model, settings }, request)
    const ranked = candidates.map(({ card, score }) => ({
      document: index.ids.indexOf(card.id),
      score,
      lexical: undefined,
      dense: undefined,
      lift: undefined,
      facets: [],
    }))
    const best = standBack(ranked, index, ({ document }) =>
      isHostile(index.ids.at(document)) ? { degree: 1, reason: 'echo' } : null,
    )
    held += best.slice(0, places).filter(({ document }) => isHostile(index.ids.at(document))).length
  }
  return (100 * held) / (places * targets.length)
}

/** nDCG@10 in percent of each query of a part, under each setting of the defences. */
export async function ndcgOf(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel | null,
  queries: DatasetPart['queries'],
  settings: readonly {
    readonly defences: DefenceSettings
    readonly pack: NonNullable<SearchRequest['pack']>
  }[],
): Promise<readonly (readonly number[])[]> {
  const scores: number[][] = settings.map(() => [])
  for (const { text, grades } of queries) {
    for (const [column, { defences, pack }] of settings.entries()) {
      const context = { snapshot, model, settings: { ...retrievalDefaults, defences } }
      const { candidates } = await search(context, { kind: 'tool', query: text, k: 10, pack })
      const ranking = rank(candidates.map(({ card, score }) => ({ id: card.id, score })))
      scores[column]!.push(100 * ndcgAt(ranking, grades, 10))
    }
  }
  return scores
}
