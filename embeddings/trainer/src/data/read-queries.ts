import { keyOf } from '../../../../src/catalog/identity.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'
import { fileIn } from '../../../../src/evaluation/datasets/files.ts'
import { toolretQuery } from '../../../../evals/benchmarks/src/toolret/toolret-records.ts'
import type { TrainingQuery } from './corpus.ts'
import type { FindCards } from './find-cards.ts'
import type { FoundSet } from './find-sets.ts'
import { type OnProblem, openOrReport, recordLines } from './record-lines.ts'

/** Records of the queries of a set; none when it has no queries. Damaged lines are reported and skipped. */
export function queryRecords(set: FoundSet, onProblem: OnProblem): readonly JsonObject[] {
  const file = queryFileOf(set)
  const document = file === undefined ? undefined : openOrReport(file, onProblem)
  return document === undefined ? [] : recordLines(document, onProblem)
}

function queryFileOf(set: FoundSet): string | undefined {
  if (set.content === 'tools') return fileIn(set.folder, 'queries.jsonl')
  return set.content === 'queries' ? set.file : undefined
}

/** Texts of the queries, whatever else their records hold. */
export const textsOfRecords = (records: readonly JsonObject[]): readonly string[] =>
  records.flatMap(({ query }) => (typeof query === 'string' ? [query] : []))

/**
 * A query over the tools of its own set.
 *
 * @returns undefined when it has no id, no text or no relevant tool among the cards
 */
export function ownQuery(
  record: JsonObject,
  set: string,
  cards: ReadonlyMap<string, Card>,
): TrainingQuery | undefined {
  const cardIdOf = (tool: string): string | undefined => {
    const id = `${set}/${keyOf(tool)}`
    return cards.has(id) ? id : undefined
  }
  const read = toolretQuery(record, cardIdOf)
  if (read === undefined) return undefined
  const { id, text, instruction, grades } = read.query
  const relevant = [...grades].filter(([card, grade]) => grade > 0 && cards.has(card)).map(([card]) => card)
  if (relevant.length === 0) return undefined
  return { id, text, ...(instruction === undefined ? {} : { instruction }), relevant }
}

/** A query with the corpus it belongs to, by its place. */
export type PlacedQuery = { readonly corpus: number; readonly query: TrainingQuery }

/**
 * A query that names what answers it in `relevant`: a list of published ids that must all be there, or an object of
 * graded alternatives, of which those that are there count.
 *
 * @returns undefined when it has no id or text, names nothing that is there, or names cards of different corpora
 */
export function placedQuery(record: JsonObject, set: string, findCards: FindCards): PlacedQuery | undefined {
  const { id, query, relevant: named } = record
  if (typeof id !== 'string' || typeof query !== 'string' || query.trim() === '') return undefined
  const areAllNeeded = Array.isArray(named)
  const found = namedIn(named).map(findCards)
  const present = found.flatMap((each) => each ?? [])
  const corpus = present[0]?.corpus
  if (corpus === undefined || (areAllNeeded && present.length < found.length)) return undefined
  if (present.some((each) => each.corpus !== corpus)) return undefined
  const relevant = [...new Set(present.flatMap(({ ids }) => ids))]
  return { corpus, query: { id, text: query, relevant, set } }
}

const namedIn = (relevant: unknown): readonly string[] => {
  if (Array.isArray(relevant)) return relevant.map(String)
  if (!isJsonObject(relevant)) return []
  return Object.entries(relevant).flatMap(([id, grade]) => (Number(grade) > 0 ? [id] : []))
}
