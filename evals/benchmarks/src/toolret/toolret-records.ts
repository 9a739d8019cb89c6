import { structuredText } from '../../../../src/catalog/formats/structured-text.ts'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'
import { counted, type JudgedQuery } from '../../../../src/evaluation/datasets/dataset.ts'

/** A query of ToolRet, and how many of its labels name no tool of the corpus. */
type ToolretQuery = { readonly query: JudgedQuery; readonly unresolved: number }

/**
 * Reads a query record: `id`, `query`, `labels` (a list, or that list as JSON or Python text) of `{id, relevance}`, and perhaps
 * `instruction` and `alternatives` (one list per needed tool, any member of which serves).
 *
 * @param cardIdOf - card id of a tool id; undefined when the corpus has no such tool
 * @returns undefined when the record has no id or text, or when none of its labels is in the corpus; of a query with
 *   some labels in the corpus the others stay judged, so that no ranking can be complete
 */
export function toolretQuery(
  record: JsonObject,
  cardIdOf: (toolId: string) => string | undefined,
): ToolretQuery | undefined {
  const { id, query, instruction } = record
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof query !== 'string' || query.trim() === '')
    return undefined
  const labels = labelsOf(record.labels)
  const unresolved = labels.filter((label) => cardIdOf(label.id) === undefined).length
  if (labels.length > 0 && unresolved === labels.length) return undefined
  const grades = new Map(labels.map((label) => [cardIdOf(label.id) ?? label.id, label.relevance]))
  const needs = needsOf(record.alternatives, cardIdOf)
  const relevant = [...grades.values()].filter((grade) => grade > 0).length
  return {
    unresolved,
    query: {
      id: String(id),
      text: query,
      ...(typeof instruction === 'string' && instruction.trim() !== '' ? { instruction } : {}),
      grades,
      ...(needs === undefined ? {} : { needs }),
      group: (needs?.length ?? relevant) > 1 ? 'several tools' : 'one tool',
    },
  }
}

/** The queries of some records, and what of them was left out. */
export function toolretQueries(
  records: readonly JsonObject[],
  cardIdOf: (toolId: string) => string | undefined,
): LeftOut & { readonly queries: readonly JudgedQuery[] } {
  const kept = records.flatMap((record) => toolretQuery(record, cardIdOf) ?? [])
  return {
    queries: kept.map(({ query }) => query),
    unanswerable: records.length - kept.length,
    unresolved: kept.reduce((sum, { unresolved }) => sum + unresolved, 0),
  }
}

type Label = { readonly id: string; readonly relevance: number }

/** Ids of the tools that a record labels; for finding the corpus a task is asked of. */
export const labelledTools = (record: JsonObject): readonly string[] =>
  labelsOf(record.labels).map(({ id }) => id)

function labelsOf(published: unknown): readonly Label[] {
  const list = typeof published === 'string' ? structuredText(published) : published
  return (Array.isArray(list) ? list : []).flatMap((label): Label[] => {
    if (!isJsonObject(label) || (typeof label.id !== 'string' && typeof label.id !== 'number')) return []
    const relevance = label.relevance === undefined || label.relevance === null ? 1 : Number(label.relevance)
    return [{ id: String(label.id), relevance: Math.max(0, Math.round(relevance)) || 0 }]
  })
}

function needsOf(
  published: unknown,
  cardIdOf: (toolId: string) => string | undefined,
): readonly (readonly string[])[] | undefined {
  const alternatives = typeof published === 'string' ? structuredText(published) : published
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined
  return alternatives.map((members) =>
    (Array.isArray(members) ? members : [members])
      .filter((id) => typeof id === 'string')
      .map((id) => cardIdOf(id) ?? id),
  )
}

/** What was left out of a set. */
export type LeftOut = {
  /** Queries without text, or none of whose labels is in the corpus. */
  readonly unanswerable: number
  /** Labels of the queries kept that are not in the corpus. */
  readonly unresolved: number
}

/** What a reader should know of the queries that were not taken as they are. */
export const leftOut = (sets: readonly LeftOut[]): readonly string[] => [
  ...counted(
    sets.reduce((sum, { unanswerable }) => sum + unanswerable, 0),
    'query was left out: it has no text, or none of its labels is a tool of the corpus.',
    'queries were left out: they have no text, or none of their labels is a tool of the corpus.',
  ),
  ...counted(
    sets.reduce((sum, { unresolved }) => sum + unresolved, 0),
    'label names a tool that is not in the corpus; its query can never be complete.',
    'labels name tools that are not in the corpus; their queries can never be complete.',
  ),
]
