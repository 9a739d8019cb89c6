import { analyzeQuery, type QueryTerm } from '../text/analyze.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { RecordIndex } from './record-index.ts'

/**
 * From this share of a task's information on (inverse document frequency) that a card's words cover, the card is taken to
 * speak of such tasks.
 */
const documentedFrom = 0.1

type Known = {
  readonly terms: Map<number, readonly QueryTerm[]>
  readonly byDocument: Map<number, Map<number, boolean>>
}

/** What was found out of one catalog and one record; both are given up with it. */
const known = new WeakMap<CardIndex, WeakMap<RecordIndex, Known>>()

/**
 * Whether a card documents what it succeeded in. AgentSearchBench asks a language model whether a success is in line with an
 * agent's description, and discounts it otherwise; here the words of the card's texts are asked, which takes no model.
 *
 * @returns whether a document's card speaks of a task, by its number in the record
 * @see AgentSearchBench, arXiv 2604.22436, golden labels
 */
export function documents(
  index: CardIndex,
  record: RecordIndex,
): (document: number) => (task: number) => boolean {
  const { terms, byDocument } = knownOf(index, record)
  const termsOf = (task: number): readonly QueryTerm[] => {
    const before = terms.get(task)
    if (before !== undefined) return before
    const found = analyzeQuery(record.tasks.text(task))
    terms.set(task, found)
    return found
  }
  return (document) => {
    const tasks = byDocument.get(document) ?? new Map<number, boolean>()
    byDocument.set(document, tasks)
    return (task) => {
      const before = tasks.get(task)
      if (before !== undefined) return before
      const query = termsOf(task)
      const isDocumented = query.length === 0 || index.coverage(query, document).share >= documentedFrom
      tasks.set(task, isDocumented)
      return isDocumented
    }
  }
}

function knownOf(index: CardIndex, record: RecordIndex): Known {
  const records = known.get(index) ?? new WeakMap<RecordIndex, Known>()
  known.set(index, records)
  const found = records.get(record) ?? { terms: new Map(), byDocument: new Map() }
  records.set(record, found)
  return found
}
