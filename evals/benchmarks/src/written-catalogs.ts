import { dirname, join, resolve } from 'node:path'
import type { Card, CardKind } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { isFile, isFolder } from '../../../src/domain/paths.ts'
import { counted, DatasetError, type JudgedQuery } from '../../../src/evaluation/datasets/dataset.ts'
import { agentCatalogs } from './agent-catalogs.ts'
import { readToolretTools } from './toolret/toolret-folders.ts'

/** The tools that the queries were written for. */
const toolSet = 'toucan-mcp-corpus'

/**
 * The catalogs that the written queries ask, by what is searched: beside the folder or file of queries, or in it.
 *
 * @throws DatasetError when they are not there
 */
export function writtenCatalogs(path: string): (kind: CardKind) => readonly Card[] {
  const folder = isFile(path) ? dirname(path) : path
  const root = [folder, dirname(resolve(folder))].find((place) => isFolder(join(place, 'toolret', toolSet)))
  if (root !== undefined) {
    return (kind) =>
      kind === 'tool'
        ? readToolretTools(join(root, 'toolret'), toolSet)
        : agentCatalogs(join(root, 'agents')).flatMap(({ cards }) => cards)
  }
  throw new DatasetError(
    `${path}: the tools that the queries were written for are not beside it.`,
    `Put toolret/${toolSet} and agents beside the folder of queries.`,
  )
}

/** What a written query asks for. */
export const kindOf = ({ kind }: JsonObject): CardKind => (kind === 'agent' ? 'agent' : 'tool')

/**
 * Judges written queries over some cards. One is kept when all it names is there. Of `single` and `agent` any one named
 * serves, of `multi` all are needed.
 */
export function judgedOver(cards: readonly Card[], records: readonly JsonObject[]) {
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
  return { queries, lost: records.length - queries.length }
}

/** The id as the catalogs publish it: a tool's own, `source:slug` of an agent. */
const publishedId = (id: string, source: string): string => {
  const key = id.slice(source.length + 1)
  return source === toolSet ? key : `${source}:${key}`
}

/** What a reader should know of every set of written queries. */
export const writtenNotes = (lost: number): readonly string[] => [
  'Only what a query was written for is judged: other servers of the corpus may serve as well.',
  ...counted(
    lost,
    'query was left out: it needs tools and agents at once, or something the catalog does not have.',
    'queries were left out: they need tools and agents at once, or something the catalog does not have.',
  ),
]
