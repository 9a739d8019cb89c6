import { join } from 'node:path'
import { counted, DatasetError, type JudgedQuery } from '../../../../src/evaluation/datasets/dataset.ts'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'
import { fileIn, jsonObjectOf } from '../../../../src/evaluation/datasets/files.ts'
import { identify, keyOf } from '../../../../src/catalog/identity.ts'
import { agentDrafts, type Components } from '../../../../src/catalog/readers/agentselect-json.ts'
import type { Card } from '../../../../src/domain/card.ts'

const source = 'agentselect'

/** Card id of an agent, for example of `PartII_agent_7`. */
const agentSelectId = (agent: string): string => `${source}/${keyOf(agent)}`

/** The agents as cards, and what was wrong with them. */
type SelectAgents = {
  readonly cards: readonly Card[]
  /** Agents whose model is the id of an agent: the generator's mistakes, left out. */
  readonly dirty: ReadonlySet<string>
  /** Distinct tool names that the table of tools does not know. */
  readonly unknownTools: number
}

/** Capability profiles of AgentSelect as cards; see `agentDrafts`. */
function selectAgents(agents: JsonObject, components: Components): SelectAgents {
  const { drafts, dirty, unknownTools } = agentDrafts(agents, components)
  const origin = { reader: 'agentselect', location: 'agents/merge.json' }
  const { cards } = identify(
    source,
    drafts.map((draft) => ({ draft, origin })),
  )
  return { cards, dirty, unknownTools }
}

/** A table of AgentSelect: `<folder>/merge.json`; undefined when it is not there. */
export const mergeFile = (path: string, ...folders: readonly string[]): string | undefined =>
  fileIn(join(path, ...folders), 'merge.json')

/**
 * A table that has to be there.
 *
 * @throws DatasetError when it is not
 */
export function neededFile(path: string, ...folders: readonly string[]): string {
  const file = mergeFile(path, ...folders)
  if (file !== undefined) return file
  throw new DatasetError(
    `${join(path, ...folders)}: merge.json is missing.`,
    'Download it again, with the tables of agents, questions and rankings.',
  )
}

/**
 * Agents of some folders as cards, with the texts that the tables of tools and models beside them give.
 *
 * @param folders - each with `agents/merge.json`; relative to `path`, empty for `path` itself
 * @param models - whether descriptions of models are searched, or only their names
 */
export function readAgents(
  path: string,
  folders: readonly string[],
  models: 'described' | 'named',
): SelectAgents {
  const table = (folder: string): JsonObject => {
    const file = mergeFile(path, folder)
    return file === undefined ? {} : jsonObjectOf(file)
  }
  const agents: JsonObject = Object.assign(
    {},
    ...folders.map((folder) => jsonObjectOf(neededFile(path, folder, 'agents'))),
  )
  return selectAgents(agents, { tools: table('Tools'), models: models === 'named' ? {} : table('LLMs') })
}

/** Which of a ranking are positives, and how they are graded. */
export type Positives = {
  /** So many of the first. */
  readonly most: number
  /** Alike, or more the earlier they were ranked. */
  readonly grades: 'binary' | 'rank'
}

/** Queries of a folder, and what had to be left out. */
type SelectQueries = {
  readonly queries: readonly JudgedQuery[]
  /** Queries that lost some of their positives with agents that were left out. */
  readonly touched: number
  /** Queries without text or without any positive that is there. */
  readonly lost: number
}

/**
 * Queries with their positives: the first of the ranking, of which those without a usable agent are lost.
 *
 * @param known - ids of the cards
 */
export function readQueries(
  path: string,
  folder: string,
  {
    known,
    positives: { most, grades },
  }: { readonly known: ReadonlySet<string>; readonly positives: Positives },
): SelectQueries {
  const questions = jsonObjectOf(neededFile(path, folder, 'questions'))
  const file = jsonObjectOf(neededFile(path, folder, 'rankings'))
  const rankings = isJsonObject(file.rankings) ? file.rankings : file
  const queries: JudgedQuery[] = []
  let touched = 0
  let lost = 0
  for (const [id, ranking] of Object.entries(rankings)) {
    if (!Array.isArray(ranking)) continue
    const question = questions[id]
    const text = isJsonObject(question) && typeof question.input === 'string' ? question.input.trim() : ''
    const first = [...new Set(ranking.map(String))].slice(0, most).map(agentSelectId)
    const positives = first.filter((agent) => known.has(agent))
    if (text === '' || positives.length === 0) lost += 1
    else {
      if (positives.length < first.length) touched += 1
      const gradeAt = (place: number) => (grades === 'rank' ? most - place : 1)
      queries.push({
        id,
        text,
        grades: new Map(positives.map((agent) => [agent, gradeAt(first.indexOf(agent))])),
      })
    }
  }
  return { queries, touched, lost }
}

/** What is said of the agents that were read. */
export const agentNotes = (leftOut: number, unknownTools: number): readonly string[] => [
  ...counted(
    leftOut,
    'agent was left out: its model is the id of an agent.',
    'agents were left out: their model is the id of an agent.',
  ),
  ...counted(
    unknownTools,
    'tool name has no entry in the table of tools; it stands without description.',
    'tool names have no entry in the table of tools; they stand without description.',
  ),
]
