import type { CardKind } from '../../domain/card.ts'
import type { RecordSignal } from '../answer.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { CatalogSnapshot } from '../ports.ts'
import type { Need } from '../query/need.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import { analyzeQuery, type QueryTerm } from '../text/analyze.ts'
import { medianSeconds, recordEstimates } from './record-estimate.ts'
import type { RecordIndex } from './record-index.ts'
import { mostWeighed, type RecordSettings, recordDefaults, speaks, type WeighScale, weigh } from './weigh.ts'

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
function documents(index: CardIndex, record: RecordIndex): (document: number) => (task: number) => boolean {
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

/** A ranking before the record weighed in, and what it is of. */
export type ToWeigh = {
  readonly kind: CardKind
  readonly need: Need
  /** Of the need's vectors: those of another than the record's are not compared. */
  readonly model: string | null
  /** Best first. */
  readonly ranked: readonly RankedCard[]
  readonly scale: WeighScale
}

/** A ranking after the record weighed in. */
export type Weighed = {
  /** The same cards, best first. */
  readonly ranked: readonly RankedCard[]
  /** What is told of a candidate's record, by document; undefined for a card without outcomes. */
  readonly signalOf: (document: number) => RecordSignal | undefined
}

/** How a record weighs in searches of a snapshot: what their context takes. */
export const weighedBy = (
  record: RecordIndex,
  snapshot: CatalogSnapshot,
  settings: RecordSettings = recordDefaults,
): { readonly weigh?: (found: ToWeigh) => Promise<Weighed> } =>
  record.size === 0 ? {} : { weigh: (found) => weighByRecord({ record, snapshot, settings }, found) }

/** Hears the track record about the candidates of a search. */
async function weighByRecord(
  {
    record,
    snapshot,
    settings,
  }: { readonly record: RecordIndex; readonly snapshot: CatalogSnapshot; readonly settings: RecordSettings },
  { kind, need, model, ranked, scale }: ToWeigh,
): Promise<Weighed> {
  const index = snapshot.indexes[kind]
  const recorded = ranked.slice(0, mostWeighed).flatMap(({ document }) => {
    const id = index.ids.at(document)
    return record.has(id) ? [{ document, id }] : []
  })
  const hashes = await hashesOf(snapshot, record, recorded)
  const lookups = [need.whole, ...need.facets]
  const documentsOf = settings.undocumented < 1 ? documents(index, record) : undefined
  const byId = recordEstimates(record, {
    need: {
      texts: lookups.map(({ text }) => text),
      vectors: model === record.model ? lookups.flatMap(({ vector }) => vector ?? []) : [],
    },
    cards: recorded.map(({ document, id }) => {
      const speaksOf = documentsOf?.(document)
      return { id, hash: hashes.get(id), ...(speaksOf ? { documents: speaksOf } : {}) }
    }),
    undocumented: settings.undocumented,
  })
  const known = new Map(recorded.map(({ document, id }) => [document, { id, recorded: byId.get(id)! }]))
  return {
    ranked: weigh(ranked, ({ document }) => known.get(document)?.recorded ?? null, {
      ...settings,
      scale,
      availabilityOf({ document }) {
        const found = known.get(document)
        return found === undefined ? 1 : record.uses.availability(found.id, kind)
      },
    }),
    signalOf(document) {
      const found = known.get(document)
      if (found === undefined) return undefined
      const { runs, successes, similarRuns, similarSuccesses, estimate } = found.recorded
      const seconds = medianSeconds(record, found.id)
      const used = record.uses.summary(found.id)
      return {
        ...(used === undefined ? {} : { used }),
        runs,
        successes,
        similarRuns,
        similarSuccesses,
        medianSeconds: seconds,
        estimate,
        speaks: speaks(found.recorded),
      }
    },
  }
}

/** Hashes of what cards say, kept as long as their state of the catalog. */
const knownHashes = new WeakMap<CatalogSnapshot, Map<string, string>>()

/** When one is missing those of all cards with a record are read: the next search will want others. */
async function hashesOf(
  snapshot: CatalogSnapshot,
  record: RecordIndex,
  wanted: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = knownHashes.get(snapshot) ?? new Map<string, string>()
  knownHashes.set(snapshot, hashes)
  if (wanted.every(({ id }) => hashes.has(id))) return hashes
  const missing = [...record.cards()].filter((id) => !hashes.has(id))
  for (const [id, hash] of await snapshot.hashes(missing)) hashes.set(id, hash)
  return hashes
}
