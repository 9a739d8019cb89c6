import { lanceReader } from '../../src/adapters/lancedb/lance-reader.ts'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { keyOf } from '../../src/catalog/identity.ts'
import { rank } from '../../src/domain/ranking.ts'
import type { JudgedQuery } from '../../src/evaluation/datasets/dataset.ts'
import { ndcgAt } from '../../src/evaluation/measures/ndcg.ts'
import type { CardIndex } from '../../src/retrieval/index/card-index.ts'
import { joinedRows, type VectorRows } from '../../src/retrieval/index/joined-rows.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../src/retrieval/ports.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { devSet } from '../dev-rankings.ts'
import { devSets } from '../dev-sets.ts'
import { mean } from '../scores.ts'
import { hasModel, modelFolder } from '../static-model-folder.ts'
import type { Workplace } from '../workplace.ts'
import { idAt } from './recombined.ts'

/** The ordinary search beside one that counts the tail of every vector in full. */
export type BesideExact = {
  readonly queries: number
  /** nDCG@10 in percent. */
  readonly ordinary: number
  readonly exact: number
  /** Share of the hundred nearest cards that the ordinary search finds, 0..1. */
  readonly recall: number
}

const queriesOfSet = { usual: 20, quick: 4 }
const nearest = 100

/** Asks a store of made tools for the real ones among them. @returns undefined without sets, without a model, or where there is one segment */
export async function besideExact(
  workplace: Workplace,
  store: string,
  size: number,
): Promise<BesideExact | undefined> {
  const queries = joinedQueries(workplace, size)
  if (queries.length === 0 || !hasModel) return undefined
  const reader = lanceReader(store)
  const snapshot = await reader.snapshot()
  const exact = exactRows(snapshot.indexes.tool)
  const found = exact && (await compared({ snapshot, exact, model: await staticModel(modelFolder) }, queries))
  await reader.close()
  return found
}

async function compared(
  { snapshot, exact, model }: { snapshot: CatalogSnapshot; exact: VectorRows; model: EmbeddingModel },
  queries: readonly JudgedQuery[],
): Promise<BesideExact> {
  const { tool } = snapshot.indexes
  const exactly = { ...snapshot, indexes: { ...snapshot.indexes, tool: { ...tool, vectors: exact } } }
  const scoreOn = async (of: CatalogSnapshot, { text, grades }: JudgedQuery): Promise<number> => {
    const asked = { kind: 'tool', query: text, k: 10, ranker: 'learned', pack: 'ranking' } as const
    const { candidates } = await search({ snapshot: of, model }, asked)
    return 100 * ndcgAt(rank(candidates.map(({ card, score }) => ({ id: card.id, score }))), grades, 10)
  }
  const scores: { ordinary: number; exact: number; recall: number }[] = []
  for (const query of queries) {
    const [vector] = await model.embed([query.text], 'query')
    const best = (rows: VectorRows) => [...rows.scored(vector!, null).best(nearest).documents]
    const found = new Set(best(tool.vectors!))
    scores.push({
      recall: mean(best(exact).map((document) => (found.has(document) ? 1 : 0))),
      ordinary: await scoreOn(snapshot, query),
      exact: await scoreOn(exactly, query),
    })
  }
  const meanOf = (what: 'ordinary' | 'exact' | 'recall') => mean(scores.map((score) => score[what]))
  return {
    queries: queries.length,
    ordinary: meanOf('ordinary'),
    exact: meanOf('exact'),
    recall: meanOf('recall'),
  }
}

/** Of few documents every tail counts in full. */
function exactRows({ segments, documents }: CardIndex): VectorRows | undefined {
  const rows = segments.flatMap(({ vectors }) => vectors ?? [])
  return rows.length === 0 ? undefined : joinedRows(rows, { ...documents, size: 0 })
}

/** Queries of the development sets of which all that serves is among so many made tools, by the ids that it has there. */
function joinedQueries({ data, quick, tools }: Workplace, size: number): readonly JudgedQuery[] {
  if (data === null) return []
  const ids = new Map<string, string>()
  tools()
    .slice(0, size)
    .forEach(({ set, id }, place) => {
      const known = `${set}/${keyOf(id)}`
      if (!ids.has(known)) ids.set(known, idAt(place))
    })
  const queries = devSets.flatMap(
    (name) => devSet(data, name, quick ? queriesOfSet.quick : queriesOfSet.usual).queries,
  )
  return queries
    .filter(({ grades }) => grades.size > 0 && [...grades.keys()].every((id) => ids.has(id)))
    .map((query) => ({
      ...query,
      grades: new Map([...query.grades].map(([id, grade]) => [ids.get(id)!, grade])),
    }))
}
