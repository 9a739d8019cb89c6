import type { CardFlag } from './card-flag.ts'

/** What every card has. */
export type CardBase = {
  /** `source/key`, unique in the store. */
  readonly id: string
  /** The source the card came from. Holds no slash. */
  readonly source: string
  /** The name as published, for example `get_user_by_id` or `Lease reviewer`. */
  readonly name: string
  /** A human-readable name where the publisher gives one. */
  readonly title?: string
  /** As published; may be empty. */
  readonly description: string
  /** Example requests in a user's words; may be empty. */
  readonly examples: readonly string[]
  /** Categories and keywords as published; may be empty. */
  readonly tags: readonly string[]
  /** Who publishes it, as far as the source says: the unit of the per-publisher cap. */
  readonly publisher?: string
  readonly provenance: Provenance
  /** What the scan at import found; absent when it found nothing. Ours, not the publisher's. */
  readonly flags?: readonly CardFlag[]
}

/** Where a card was read. */
type Provenance = {
  /** The reader's name, for example `claude-subagent`. */
  readonly reader: string
  /** File path or URL. */
  readonly location: string
  /** Repository, licence, version and whatever else the source states and a person may want to see. */
  readonly details?: { readonly [key: string]: string }
}
