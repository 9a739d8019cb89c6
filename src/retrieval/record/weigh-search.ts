import type { CardKind } from '../../domain/card.ts'
import type { RecordSignal } from '../answer.ts'
import type { CatalogSnapshot } from '../ports.ts'
import type { Need } from '../rank-cards.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import { retrievalDefaults } from '../retrieve.ts'
import { documents } from './documented.ts'
import type { RecordIndex } from './record-index.ts'
import { medianSeconds, standings } from './standing.ts'
import { type EstimateSettings, estimateDefaults } from './success-estimate.ts'
import { mostWeighed, speaks, weigh, type WeighScale, type WeighSettings } from './weigh.ts'

/** A ranking before the record was heard, and what it is of. */
export type ToWeigh = {
  readonly kind: CardKind
  readonly need: Need
  /** Of the need's vectors: those of another than the record's are not compared. */
  readonly model: string | null
  /** Best first. */
  readonly ranked: readonly RankedCard[]
  readonly scale: WeighScale
}

/** A ranking after the record was heard. */
export type Weighed = {
  /** The same cards, best first. */
  readonly ranked: readonly RankedCard[]
  /** What is told of a candidate's record, by document; undefined for a card without outcomes. */
  readonly signalOf: (document: number) => RecordSignal | undefined
}

type RecordSettings = WeighSettings & Pick<EstimateSettings, 'undocumented'>

/** How a record is heard in searches of a snapshot: what their context takes. */
export const weighedBy = (
  record: RecordIndex,
  snapshot: CatalogSnapshot,
  settings: RecordSettings = retrievalDefaults,
): { readonly weigh?: (found: ToWeigh) => Promise<Weighed> } =>
  record.size === 0 ? {} : { weigh: (found) => weighByRecord(record, snapshot, found, settings) }

/** Hears the track record about the candidates of a search. */
async function weighByRecord(
  record: RecordIndex,
  snapshot: CatalogSnapshot,
  { kind, need, model, ranked, scale }: ToWeigh,
  settings: RecordSettings,
): Promise<Weighed> {
  const index = snapshot.indexes[kind]
  const recorded = ranked.slice(0, mostWeighed).flatMap(({ document }) => {
    const id = index.ids.at(document)
    return record.has(id) ? [{ document, id }] : []
  })
  const hashes = await hashesOf(snapshot, record, recorded)
  const lookups = [need.whole, ...need.facets]
  const documentsOf = settings.undocumented < 1 ? documents(index, record) : undefined
  const byId = standings(
    record,
    {
      texts: lookups.map(({ text }) => text),
      vectors: model === record.model ? lookups.flatMap(({ vector }) => vector ?? []) : [],
    },
    recorded.map(({ document, id }) => {
      const speaksOf = documentsOf?.(document)
      return { id, hash: hashes.get(id), ...(speaksOf ? { documents: speaksOf } : {}) }
    }),
    { ...estimateDefaults, undocumented: settings.undocumented },
  )
  const known = new Map(recorded.map(({ document, id }) => [document, { id, standing: byId.get(id)! }]))
  return {
    ranked: weigh(ranked, ({ document }) => known.get(document)?.standing ?? null, settings, scale),
    signalOf(document) {
      const found = known.get(document)
      if (found === undefined) return undefined
      const { runs, successes, similarRuns, similarSuccesses, estimate } = found.standing
      const seconds = medianSeconds(record, found.id)
      return {
        ...{ runs, successes, similarRuns, similarSuccesses, medianSeconds: seconds, estimate },
        speaks: speaks(found.standing),
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
