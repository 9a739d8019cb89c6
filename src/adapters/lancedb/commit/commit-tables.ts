import type { Table } from '@lancedb/lancedb'
import type { CardKind } from '../../../domain/card.ts'
import type { ComingRows } from '../card-rows.ts'
import type { StoreConnection } from '../connection.ts'
import { type cardSchema, type StoreHead, imageSchema, segmentStems, vectorTables } from '../schemas.ts'
import { imageRows } from '../vectors.ts'
import { nameInTime, stemOfName } from '../pointed-table.ts'

type Schema = typeof cardSchema

/** What becomes of the rows of a table. */
export type RowChange = {
  readonly schema: Schema
  /** `dropped`: the table is made anew. */
  readonly former: 'kept' | 'dropped'
  /** Conditions for rows that go. */
  readonly gone: readonly string[]
  /** Ids of all rows that come. */
  readonly coming: readonly string[]
  /** Which of them are there. @defaultValue the table is asked */
  readonly there?: ReadonlySet<string>
}

/** A table whose rows change. */
export type ChangingRows = ComingRows & {
  /** Lets the table come to rest: from then on each row stays where it is. */
  done(): Promise<void>
  /** What the table holds, once that is done. */
  read(): Promise<Table>
}

/**
 * The tables of a commit, opened when they are asked for; without a head they are made. What they hold counts once the head names their
 * versions.
 */
export abstract class CommitTables {
  protected readonly store: StoreConnection
  protected readonly head: StoreHead | null
  /** By their names in the head. */
  protected readonly open = new Map<string, Table>()
  protected readonly versions: Map<string, number>
  protected readonly names: Map<string, string>
  readonly #images = new Map<CardKind, Uint8Array>()

  constructor(store: StoreConnection, head: StoreHead | null) {
    this.store = store
    this.head = head
    this.versions = new Map(Object.entries(head?.versions ?? {}))
    this.names = new Map(Object.entries(head?.names ?? {}))
  }

  /** @param name - of a table in the head; of one that the head does not name, and keeps, that is damage */
  abstract change(name: string, change: RowChange): Promise<ChangingRows>
  /** The cards of a kind as the head names them, to be looked at. */
  abstract former(kind: CardKind): Promise<Table>
  /** Puts the search images of these kinds in the place of those that there are. */
  protected abstract writeImages(images: ReadonlyMap<CardKind, Uint8Array>): Promise<void>
  /** Lets all tables come to rest that were opened. */
  protected abstract restAll(): Promise<void>

  /** Takes the search image of a kind, which is written as all settles. */
  putImage(kind: CardKind, image: Uint8Array): void {
    this.#images.set(kind, image)
  }

  /** Seals a segment of a kind in a table of its own. @returns the table */
  async makeSegment(kind: CardKind, image: Uint8Array): Promise<string> {
    const name = nameInTime(segmentStems[kind], new Date())
    const rows = await this.change(name, { schema: imageSchema, former: 'dropped', gone: [], coming: [] })
    await rows.put(imageRows(kind, image))
    await rows.done()
    return name
  }

  /** Leaves the segments of a kind out of the next head, but for these. */
  keepSegments(kind: CardKind, kept: readonly string[]): void {
    const own = [...this.versions.keys()].filter((name) => stemOfName(name) === segmentStems[kind])
    for (const name of own) if (!kept.includes(name)) this.leaveOut(name)
  }

  /** Whether the head names vectors of a kind. */
  hasVectors(kind: CardKind): boolean {
    return this.versions.has(vectorTables[kind])
  }

  /** Leaves all vectors out of the next head. */
  leaveOutVectors(): void {
    for (const name of Object.values(vectorTables)) this.leaveOut(name)
  }

  /** Writes what is left to write. @returns all tables, for the head */
  async settle(): Promise<Pick<StoreHead, 'versions' | 'names'>> {
    if (this.#images.size > 0) await this.writeImages(this.#images)
    await this.restAll()
    return { versions: Object.fromEntries(this.versions), names: Object.fromEntries(this.names) }
  }

  /** Forgets what the head names no more. Only after the head was written. */
  abstract prune(): Promise<void>
  /** Takes back what was written, as far as it would be in the way; when it was not committed. */
  abstract discard(): Promise<void>

  close(): void {
    for (const table of this.open.values()) table.close()
    this.open.clear()
  }

  protected leaveOut(name: string): void {
    this.open.get(name)?.close()
    this.open.delete(name)
    this.versions.delete(name)
    this.names.delete(name)
  }
}
