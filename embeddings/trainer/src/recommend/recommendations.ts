import type { AgentCard } from '../../../../src/domain/card.ts'
import { DatasetError } from '../../../../src/evaluation/datasets/dataset.ts'
import { fingerprintOf } from '../../../../src/evaluation/datasets/files.ts'
import {
  mergeFile,
  readAgents,
  readQueries,
} from '../../../../evals/benchmarks/src/agentselect/agentselect-tables.ts'
import { positivesOf } from './build/parts.ts'

/** A request with the agents that serve it. */
export type RecommendedQuery = {
  readonly id: string
  readonly part: string
  readonly text: string
  /** Places among the agents, best first. */
  readonly positives: readonly number[]
}

/** A dataset of recommendations in the layout of AgentSelect. */
export type Recommendations = {
  /** Of all parts. */
  readonly agents: readonly AgentCard[]
  readonly queries: readonly RecommendedQuery[]
}

/** @throws DatasetError when no part is there, or one is damaged */
export function readRecommendations(folder: string): Recommendations {
  const names = (['PartI', 'PartII', 'PartIII'] as const).filter((name) => mergeFile(folder, name, 'agents'))
  if (names.length === 0)
    throw new DatasetError(
      `${folder}: no PartI, PartII or PartIII is there.`,
      'Give the folder of `audition recommend build`, or of AgentSelect.',
    )
  const { cards } = readAgents(folder, names, 'described')
  const agents = cards.filter((card) => card.kind === 'agent')
  const placeOf = new Map(agents.map(({ id }, place) => [id, place]))
  const known = new Set(placeOf.keys())
  const queries = names.flatMap((part) =>
    readQueries(folder, part, { known, positives: { most: positivesOf[part], grades: 'rank' } }).queries.map(
      ({ id, text, grades }): RecommendedQuery => ({
        id: `${part}/${id}`,
        part,
        text,
        positives: [...grades.keys()].map((agent) => placeOf.get(agent)!),
      }),
    ),
  )
  return { agents, queries }
}

/** Tells one dataset from another. */
export const fingerprintOfData = (folder: string): string =>
  fingerprintOf(
    ['PartI', 'PartII', 'PartIII'].flatMap((part) =>
      ['agents', 'questions', 'rankings'].flatMap((table) => mergeFile(folder, part, table) ?? []),
    ),
  )
