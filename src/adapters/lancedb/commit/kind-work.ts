import type { Connection, Table } from '@lancedb/lancedb'
import type { Card, CardKind } from '../../../domain/card.ts'
import type { OpenedSegment } from '../../../retrieval/index/card-index.ts'
import type { QuantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import type { Standings } from '../../../trust/standing.ts'
import type { Removal } from '../card-rows.ts'
import type { StoreHead } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'
import type { CommitTables } from './commit-tables.ts'

/** The work of a commit on one kind of card. */
export type KindWork = {
  readonly location: StoreLocation
  /** Over which nothing is written. */
  readonly reading: Connection
  readonly tables: CommitTables
  readonly kind: CardKind
  /** The head whose place is to be taken. */
  readonly head: StoreHead | null
  readonly model: EmbeddingModel | null
  /** Vectors that this commit has made before, by card; null where it never has to begin again. */
  readonly embedded: Map<string, Float32Array> | null
  /** Segments that are open since the commit before, by kind. */
  readonly opened: Map<CardKind, readonly OpenedSegment[]>
  /** Cards from which the image is kept in segments. */
  readonly segmentsFrom: number
  readonly onProgress: (share: number, step: string) => void
  readonly signal: AbortSignal | undefined
}

export type KindChange = {
  readonly put: readonly Card[]
  readonly removal: Removal
  readonly standingOf: Standings
}

/** The cards that a commit leaves of a kind. */
export type CardsOfKind = {
  readonly count: number
  /** Reads all of them, once. */
  readonly all: () => Promise<readonly Card[]>
}

/** The table of their vectors, whether all of them were made anew, and those that were. */
export type KindVectors = {
  readonly table: Table
  readonly isNew: boolean
  readonly made: QuantisedVectors
}
