import type { Problem } from '../domain/problem.ts'
import type { Trust } from './source-review.ts'

/** A source as the store remembers it. */
export type SourceState = {
  readonly id: string
  /** File, folder, URL, `config#server`, or part of the bundled catalog, `bundled:profiles`. */
  readonly location: string
  /** Told from its cards, after a damaged store lost where it lies: it may lie deeper than the source does. */
  readonly isLocationGuessed?: true
  readonly reader: string
  /** Hash of what was read, of a live server of what it answered; an equal one means that nothing is new. */
  readonly fingerprint?: string
  /** Of a live server: how it was asked. Absent in stores of an older Audition. */
  readonly asked?: AskedServer
  /** ISO 8601 time of the last run that read the source without failing. */
  readonly indexedAt: string | null
  readonly tools: number
  readonly agents: number
  /** All its cards are profiles that Audition composed. */
  readonly composed?: true
  /** Language models that it describes, and tasks of which it has outcomes of models; absent where it is no such file. */
  readonly models?: { readonly cards: number; readonly tasks: number }
  /** Why the last run could not read it; its old cards stay. */
  readonly failure?: string
  readonly problems: readonly Problem[]
  /** Cards that were read and are not searched until the user accepts them; absent when there is none. */
  readonly held?: HeldCounts
  /** Cards in search that the scan flagged; absent when there is none. */
  readonly flagged?: number
  /** Whether changes of its cards are taken at once; absent in stores of an older Audition. */
  readonly trust?: Trust
  /** Whose words it holds; absent in stores of an older Audition, see `storedStanding`. */
  readonly standing?: Standing
  /** How long its cards are known; absent in stores of an older Audition, and until it was read. */
  readonly seen?: Seen
  /** The version of the scan that looked through all its cards. */
  readonly scan?: number
}

/**
 * Held cards of a source: those that wait for the user by why they are held, a card of both kinds as quarantined; and those that
 * the user refused, absent when there is none.
 */
export type HeldCounts = {
  readonly quarantined: number
  readonly changed: number
  readonly refused?: number
}

/**
 * Whose words a source holds. `installed`: the user's own, such as a host's configuration, their folders and the files they
 * wrote. `stranger`: what others published, such as an address, a registry, a downloaded catalog or benchmark. `newcomer`: a
 * stranger's card that came after others and is not known for long; see `seen.ts`. `accepted` and `distrusted`: what the user said
 * of a source, by `audition sources trust` and `distrust`.
 */
export type Standing = 'installed' | 'accepted' | 'stranger' | 'newcomer' | 'distrusted'

/** How long the cards of a source are known. */
export type Seen = {
  /** Days that the source was seen to be there, as {@link daysAfter} counts them. */
  readonly days: number
  /** ISO 8601 time to which they were counted. */
  readonly at: string
  /** It was in the store before any other source of other people's: who comes first is nobody's newcomer. */
  readonly isFirst?: true
  /** Cards that came or changed later, and are not known for long: by id, at which of those days. */
  readonly later?: { readonly [card: string]: number }
}

/** How a live server was last asked for its tools, as the store remembers it. */
export type AskedServer = {
  /** Digest of the launch by which it was asked: what somebody agreed to. */
  readonly entry: string
  /** Where that launch stood, and its words. Absent in stores of an older Audition. */
  readonly launch?: { readonly place: string } & AgreedLaunch
  /** A few bits of what the entry wrote at that time, its secrets too; see `server-turn.ts`. */
  readonly values?: string
  /** The version of the cards that were made of its answer; absent in stores of an older Audition. */
  readonly cards?: number
  /** Size and time of the program that the entry started, when that is a file. */
  readonly program?: string
  /** Since it failed; absent when it answered the last time. */
  readonly failed?: FailedServer
}

/** A server that could not be asked. */
export type FailedServer = {
  /** How often it failed since it last answered. */
  readonly times: number
  /** ISO 8601 time from which a run asks it again. */
  readonly again: string
  /** How long it was waited for: who allows more time is not kept waiting. */
  readonly timeoutMs?: number
  readonly message: string
  readonly remedy: string
  /** What it printed, secrets masked. */
  readonly output?: string
}

/** What is kept of a launch that somebody agreed to, to say later what is not the same. */
export type AgreedLaunch = {
  readonly words: readonly string[]
  readonly lines?: AgreedLines | undefined
}

/** Lines of texts that a person agreed to, by the names of the texts: a digest of each line, in a row. */
export type AgreedLines = { readonly [name: string]: string }
