import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { keyOf } from '../../../src/catalog/identity.ts'
import type { Card } from '../../../src/domain/card.ts'
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts'
import {
  assembled,
  chosenSettings,
  counted,
  DatasetError,
  type DatasetRecipe,
  type DatasetSetting,
  type JudgedQuery,
  wantedNames,
} from '../../../src/evaluation/datasets/dataset.ts'
import { agentCatalogs } from './agent-catalogs.ts'
import {
  fileIn,
  fingerprintOf,
  firstRecordOf,
  jsonLinesOf,
  jsonObjectOf,
  namesIn,
} from '../../../src/evaluation/datasets/files.ts'
import { isFolder } from '../../../src/domain/paths.ts'

const settings: readonly DatasetSetting[] = [
  {
    name: 'catalogs',
    describes: 'What is searched: the catalog that a set was taken from, or all catalogs together',
    values: ['own', 'all'],
  },
  {
    name: 'split',
    describes:
      'All queries, or the half of each set (by a hash of the agent) that is for development or for training',
    values: ['all', 'dev', 'train'],
  },
]

/**
 * Queries with known agents, taken from the examples that agents ship. The examples are taken off the cards, since the
 * queries come from them; every member of a cluster of duplicates gets the same grade.
 */
export const agentQueries: DatasetRecipe = {
  name: 'agent-queries',
  describes: 'Requests with the agents they were written for, over catalogs of agents',
  settings,
  recognises: (path) => setFiles(path).length > 0,
  async read(path, only, given) {
    const values = chosenSettings('agent-queries', settings, given)
    const files = setFiles(path)
    const wanted = wantedNames(
      'agent-queries',
      files.map(({ name }) => name),
      only,
    )
    const folder = catalogFolder(path)
    const clusters = readClusters(folder)
    const searchesAll = values.get('catalogs') === 'all'
    const all = searchesAll ? withoutExamples(agentCatalogs(folder).flatMap(({ cards }) => cards)) : []
    const read = files
      .filter(({ name }) => wanted.includes(name))
      .map(({ name, file }) => {
        const records = jsonLinesOf(file).filter((record) => isOfSplit(record, values.get('split')!))
        const sources = [...new Set(records.map(({ source }) => String(source)))]
        const cards = searchesAll
          ? all
          : withoutExamples(agentCatalogs(folder, sources).flatMap((each) => each.cards))
        return { name, cards, ...judgedOver(cards, records, clusters) }
      })
    const used = files.filter(({ name }) => wanted.includes(name)).map(({ file }) => file)
    return assembled(
      {
        name: 'agent-queries',
        origin: `queries with known agents, ${values.get('catalogs')} catalogs, split ${values.get('split')} (sha256 ${fingerprintOf(used)})`,
        parts: read.map(({ name, cards, queries }) => ({ name, kind: 'agent', cards, queries })),
        headline: ['ndcg@10', 'mrr@10', 'recall@10', 'hit@10'],
        notes: [
          'The examples of the agents are not searched: the queries come from them.',
          'Only the agents a query was written for are judged: over all catalogs other good ones count as wrong.',
          ...counted(
            read.reduce((sum, { lost }) => sum + lost, 0),
            'query was left out: its agent is not in the catalog.',
            'queries were left out: their agents are not in the catalog.',
          ),
        ],
      },
      path,
    )
  },
}

/**
 * Whether a query belongs to the half for training. It goes by the agents asked for, so that an agent's queries stay
 * together: the first hex digit of SHA-256 over their ids is below 8.
 */
export function isForTraining(agents: readonly string[]): boolean {
  const hash = createHash('sha256')
    .update([...agents].sort().join('\n'))
    .digest('hex')
  return Number.parseInt(hash[0]!, 16) < 8
}

const isOfSplit = (record: JsonObject, split: string): boolean =>
  split === 'all' || isForTraining(Object.keys(relevantOf(record))) === (split === 'train')

const setFiles = (path: string): readonly { readonly name: string; readonly file: string }[] =>
  namesIn(path)
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .map((name) => ({ name: name.replace(/\.jsonl(?:\.gz)?$/, ''), file: join(path, name) }))
    .filter(({ file }) => {
      const first = firstRecordOf(file)
      return first !== undefined && isJsonObject(first.relevant) && 'level' in first
    })

function catalogFolder(path: string): string {
  const folder = [join(path, 'agents'), join(dirname(resolve(path)), 'agents')].find(isFolder)
  if (folder !== undefined) return folder
  throw new DatasetError(
    `${path}: the catalogs of agents are not beside it.`,
    'Put the folder "agents" beside it.',
  )
}

const withoutExamples = (cards: readonly Card[]): readonly Card[] =>
  cards.map((card) => ({ ...card, examples: [] }))

/** Published id to the ids of its cluster of duplicates. */
function readClusters(folder: string): ReadonlyMap<string, readonly string[]> {
  const file = fileIn(folder, 'duplicates.json')
  const { clusters } = file === undefined ? { clusters: [] } : jsonObjectOf(file)
  const lists = (Array.isArray(clusters) ? clusters : []).map((list) =>
    Array.isArray(list) ? list.map(String) : [],
  )
  return new Map(lists.flatMap((list) => list.map((id) => [id, list] as const)))
}

function judgedOver(
  cards: readonly Card[],
  records: readonly JsonObject[],
  clusters: ReadonlyMap<string, readonly string[]>,
) {
  const ids = new Set(cards.map(({ id }) => id))
  const cardIdsOf = (agent: string): readonly string[] =>
    [...new Set([agent, ...(clusters.get(agent) ?? [])].map(cardIdOf))].filter((id) => ids.has(id))
  const queries = records.flatMap((record): JudgedQuery[] => {
    const grades = new Map<string, number>()
    for (const [agent, grade] of Object.entries(relevantOf(record))) {
      for (const id of cardIdsOf(agent)) grades.set(id, Math.max(grades.get(id) ?? 0, grade))
    }
    if (grades.size === 0) return []
    const sets = Array.isArray(record.sets) ? record.sets.map(String) : undefined
    return [
      {
        id: String(record.id),
        text: String(record.query),
        grades,
        needs: sets === undefined ? [[...grades.keys()]] : sets.map(cardIdsOf),
        group: record.names === true ? 'names the agent' : 'does not name it',
      },
    ]
  })
  return { queries, lost: records.length - queries.length }
}

/** `source:slug` as the card's id. */
const cardIdOf = (agent: string): string => {
  const colon = agent.indexOf(':')
  return `${agent.slice(0, colon)}/${keyOf(agent.slice(colon + 1))}`
}

const relevantOf = (record: JsonObject): { readonly [agent: string]: number } =>
  isJsonObject(record.relevant)
    ? Object.fromEntries(
        Object.entries(record.relevant).map(([agent, grade]) => [
          agent,
          Math.max(0, Math.round(Number(grade))),
        ]),
      )
    : {}
