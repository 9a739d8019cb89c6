import type { Card } from '../domain/card.ts'
import type { Finding } from '../domain/finding.ts'
import type { Problem } from '../domain/problem.ts'

/**
 * What the user decided about a part of the bundled catalog: `on` has it in search beside their own sources, `removed` keeps
 * it away. Nothing decided, it is there as long as they have no source of their own.
 */
export type BundledChoice = 'on' | 'removed'

/**
 * Whether changes of a source's cards are taken at once (`trusted`), or held until the user accepts them while the cards
 * that were taken before stay in search (`untrusted`).
 */
export type Trust = 'trusted' | 'untrusted'

/** What answers as a live server: changed, all that it says counts as changed. */
export type ServerIdentity = {
  /** How it is started or reached, a fact per line, without secrets; see `known-servers.ts`. */
  readonly launch: string
  /** The name it gives of itself. Absent: it was not asked yet. */
  readonly name?: string
  /** The version it gives of itself: told to the user, and no part of the pin. */
  readonly version?: string
}

/**
 * A card that was read and does not get into search: for what the scan found in it, because it changed and its source is
 * not trusted, or for both.
 */
export type HeldCard = {
  /** As it was read. */
  readonly card: Card
  /** Hash by which a decision about it is kept; see `pin.ts`. */
  readonly pin: string
  /** ISO 8601 time of the run that first held this text. */
  readonly since: string
  /** The card in search that it would take the place of: its own id, or the one it had before it was renamed. */
  readonly replaces?: string
  /** Why it counts as a change; absent when findings alone hold it. */
  readonly change?: 'text' | 'name' | 'server'
  /** The card that it was before it was renamed, when that one is no longer in search. */
  readonly former?: Card
  /** All findings; hard ones hold the card whatever its source. */
  readonly findings: readonly Finding[]
  /** The user refused this very text: it stays held, and is not asked about again. Another text of the card is. */
  readonly refused?: true
}

/** A card that a source no longer gives. Its pin stays, so that it cannot come back as another. */
export type GoneCard = {
  /** The part of its id after the slash. */
  readonly key: string
  /** Empty where the user accepted its text and that was forgotten with its source: whatever it says is held. */
  readonly pin: string
  /** Absent where too many went to keep all their texts, and where the text must not come back by itself. */
  readonly card?: Card
  /** The user refused this very text, or took back that they accepted it: it is held wherever it comes again, and stands in for no other. */
  readonly refused?: true
}

/** What the store remembers of a folder, beside the sources in it. */
export type KnownPlace = {
  /** Absolute. */
  readonly folder: string
  /** A person named it: runs that name nothing, and servers that watch, read all of it. */
  readonly isNamed?: true
  /** Tells the folder that was read from an empty one that stands there while its disk is away. */
  readonly inode?: string
  /** Locations of sources in it that a person removed: they stay away until somebody names it again. */
  readonly without?: readonly string[]
  /** What was left out there and belongs to no source. */
  readonly problems: readonly Problem[]
}

/** What is held of a source, and what the user decided: kept beside its state, and committed with it. */
export type SourceReview = {
  /** The source's id; `retired:<hash of launch>` when the source was removed; a location of the bundled catalog; `declined:<digest>`; `place:<folder>`; `first-run`, see index-plan.ts. */
  readonly key: string
  /** What the user decided about that location of the bundled catalog. */
  readonly bundled?: BundledChoice
  /** Under `declined:<digest of its entry>`: the user does not want this server to be started. */
  readonly declined?: true
  /** Under `place:<folder>`: what is known of that folder beside its sources. */
  readonly place?: KnownPlace
  /** The server whose cards are in search. Absent for files, and for sources of an older Audition. */
  readonly server?: ServerIdentity
  /** What answers now in its place, while its cards are held. */
  readonly otherServer?: ServerIdentity
  /** What the user decided; absent: the default of its kind, see `trust.ts`. */
  readonly decision?: Trust
  /** Pins of texts that the user accepted. */
  readonly accepted: readonly string[]
  readonly held: readonly HeldCard[]
  readonly gone: readonly GoneCard[]
  /** Ids of cards in search that the scan flagged. */
  readonly flagged: readonly string[]
  /** Agents as they were read, of those whose list of tools is shown without what is held. */
  readonly owners: readonly Card[]
}

/** A review of which nothing is said yet. */
export const emptyReview = (key: string): SourceReview => ({
  key,
  accepted: [],
  held: [],
  gone: [],
  flagged: [],
  owners: [],
})

/** Whether nothing would be lost by forgetting a review. */
export const saysNothing = (review: SourceReview): boolean =>
  review.server === undefined &&
  review.decision === undefined &&
  review.declined === undefined &&
  review.accepted.length + review.held.length + review.gone.length + review.flagged.length === 0

/** Whether findings alone hold a card, whatever its source. */
export const isQuarantined = ({ findings }: Pick<HeldCard, 'findings'>): boolean =>
  findings.some(({ severity }) => severity === 'hard')

const keyOf = (folder: string): string => `place:${folder}`

export const placesIn = (reviews: readonly SourceReview[]): readonly KnownPlace[] =>
  reviews.flatMap(({ place }) => place ?? [])

export const reviewOfPlace = (place: KnownPlace): SourceReview => ({
  ...emptyReview(keyOf(place.folder)),
  place,
})

/** Folders that a person named. */
export const namedFolders = (places: readonly KnownPlace[]): readonly string[] =>
  places.flatMap(({ folder, isNamed }) => (isNamed === true ? [folder] : []))
