import { dirname, join, resolve } from 'node:path'
import type { Card } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
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
import { fileIn, fingerprintOf, firstRecordOf, jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import { isFile, isFolder } from '../../../src/domain/paths.ts'
import { readToolretTools } from './toolret/toolret-folders.ts'

const settings: readonly DatasetSetting[] = [
  { name: 'split', describes: 'Which queries are read', values: ['dev', 'train', 'all'] },
]

/** The tools that the queries were written for. */
const toolSet = 'toucan-mcp-corpus'

/**
 * Requests in everyday words, written for this project: for tools of real MCP servers, one or several, and for agents.
 * The tools lie in `toolret/toucan-mcp-corpus` and the agents in `agents`, beside the folder of queries or in it.
 */
export const writtenQueries: DatasetRecipe = {
  name: 'written-queries',
  describes: 'Everyday requests for tools and agents, written for this project (development split)',
  settings,
  recognises(path) {
    const file = queryFile(path)
    const first = file === undefined ? undefined : firstRecordOf(file)
    return (
      first !== undefined &&
      'split' in first &&
      Array.isArray(first.relevant) &&
      typeof first.kind === 'string'
    )
  },
  async read(path, only, given) {
    const split = chosenSettings('written-queries', settings, given).get('split')
    const file = queryFile(path)
    if (file === undefined) {
      throw new DatasetError(`${path}: no queries.jsonl is there.`, 'Give the folder of the written queries.')
    }
    const wanted = wantedNames('written-queries', ['written tools', 'written agents'], only)
    const records = jsonLinesOf(file).filter((record) => split === 'all' || record.split === split)
    const root = rootOf(path)
    const corpora = {
      'written tools': () => readToolretTools(join(root, 'toolret'), toolSet),
      'written agents': () => agentCatalogs(join(root, 'agents')).flatMap(({ cards }) => cards),
    }
    const read = wanted.map((name) => {
      const isOfPart = (record: JsonObject) => (record.kind === 'agent') === (name === 'written agents')
      return { name, ...judgedOver(corpora[name as keyof typeof corpora](), records.filter(isOfPart)) }
    })
    return assembled(
      {
        name: 'written-queries',
        origin: `written queries, split ${split} (sha256 ${fingerprintOf([file])})`,
        parts: read.map(({ name, cards, queries }) => ({
          name,
          kind: name === 'written agents' ? 'agent' : 'tool',
          cards,
          queries,
        })),
        headline: ['ndcg@10', 'recall@10', 'mrr@10', 'completeness@10'],
        notes: [
          'Only what a query was written for is judged: other servers of the corpus may serve as well.',
          ...counted(
            read.reduce((sum, { lost }) => sum + lost, 0),
            'query was left out: it needs tools and agents at once, or something the catalog does not have.',
            'queries were left out: they need tools and agents at once, or something the catalog does not have.',
          ),
        ],
      },
      path,
    )
  },
}

const queryFile = (path: string): string | undefined =>
  isFile(path)
    ? path
    : (fileIn(path, 'queries.jsonl') ?? fileIn(join(path, 'written-queries'), 'queries.jsonl'))

/** The folder that holds the catalogs: given, or around it. */
function rootOf(path: string): string {
  const folder = isFile(path) ? dirname(path) : path
  const root = [folder, dirname(resolve(folder))].find((place) => isFolder(join(place, 'toolret', toolSet)))
  if (root !== undefined) return root
  throw new DatasetError(
    `${path}: the tools that the queries were written for are not beside it.`,
    `Put toolret/${toolSet} and agents beside the folder of queries.`,
  )
}

/** A query is kept when all it names is there. Of `single` and `agent` any one named serves, of `multi` all are needed. */
function judgedOver(cards: readonly Card[], records: readonly JsonObject[]) {
  const cardIdOf = new Map(
    cards.flatMap(({ id, source }) => [[publishedId(id, source), id] as const, [id, id] as const]),
  )
  const queries = records.flatMap((record): JudgedQuery[] => {
    const named = Array.isArray(record.relevant) ? record.relevant.map(String) : []
    const ids = named.flatMap((name) => cardIdOf.get(name) ?? [])
    if (ids.length === 0 || ids.length < named.length) return []
    return [
      {
        id: String(record.id),
        text: String(record.query),
        grades: new Map(ids.map((id) => [id, 1])),
        ...(record.kind === 'multi' ? {} : { needs: [ids] }),
        group: String(record.kind),
      },
    ]
  })
  return { cards, queries, lost: records.length - queries.length }
}

/** The id as the catalogs publish it: a tool's own, `source:slug` of an agent. */
const publishedId = (id: string, source: string): string => {
  const key = id.slice(source.length + 1)
  return source === toolSet ? key : `${source}:${key}`
}
