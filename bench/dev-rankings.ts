import { type Ranking, rank } from '../src/domain/ranking.ts'
import type { JudgedQuery } from '../src/evaluation/datasets/dataset.ts'
import { readSet } from './dev-sets.ts'
import { startSearcher } from './processes.ts'
import { spread, type Workplace } from './workplace.ts'

/** A development set, the kind of tools in it, and the queries asked of it. */
export type DevSet = {
  readonly name: string
  readonly category: string
  readonly tools: number
  readonly queries: readonly JudgedQuery[]
}

/** A set with so many of its queries at most, evenly spread. */
export function devSet(data: string, name: string, mostQueries: number): DevSet {
  const { cards, queries, category = 'unknown' } = readSet(data, name)
  return { name, category, tools: cards.length, queries: spread(queries, mostQueries) }
}

/** What is asked of one system. */
type Asked = {
  readonly system: string
  readonly corpus: string
  readonly queries: readonly JudgedQuery[]
  /** Candidates of a ranking. */
  readonly depth: number
}

/** A ranking for each query, by a system in a process of its own. */
export async function rankingsOf(
  workplace: Workplace,
  { system, corpus, queries, depth }: Asked,
): Promise<readonly Ranking[]> {
  const store = await workplace.store(system, corpus)
  const searcher = await startSearcher({ system, store, query: 'warm up' })
  const { found } = await searcher.search(
    queries.map(({ text }) => text),
    depth,
  )
  await searcher.close()
  return found.map((candidates) => rank(candidates))
}
