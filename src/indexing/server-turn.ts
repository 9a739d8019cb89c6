import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { cardVersion } from '../catalog/identity.ts'
import type { HarvestError, McpServerEntry } from '../catalog/ports.ts'
import { projectFolderOf } from '../hosts/hosts.ts'
import type { AskedServer, FailedServer, SourceState } from '../store/source-state.ts'
import {
  agreedLaunch,
  type BoundLaunch,
  type LaunchDifference,
  launchDifference,
} from '../trust/launches/bound-launch.ts'
import { scanVersion } from '../trust/review/scan-version.ts'
import type { Harvesting, NotAsked } from './index-report.ts'

/** What a run does with a live server. */
type ServerTurn =
  | { readonly kind: 'ask' }
  | { readonly kind: 'leave'; readonly why: Exclude<NotAsked, 'failed before'> }
  | { readonly kind: 'wait'; readonly failed: FailedServer }

/** What a run may do, and wants. */
export type ServerRequest = {
  readonly harvest: Harvesting
  /** Digests of launches that somebody agreed to in this run. */
  readonly agreed?: readonly string[]
  /** Whether servers are asked that were asked a short while ago. */
  readonly refresh?: boolean
  readonly timeoutMs?: number
  /** Nobody waits for it, and it is made elsewhere than where people start servers. */
  readonly isBackground?: boolean
  readonly now: Date
}

/**
 * Whether a server is asked for its tools in this run. One that answered within a day is not, as long as its launch and its
 * program are the same; one that failed is left alone for a while. Whoever agreed to a launch agreed to no other.
 *
 * @param request.isDeclined - whether the person was asked before, and did not want it to be started
 */
export function serverTurn(
  { entry, bound }: { readonly entry: McpServerEntry; readonly bound: BoundLaunch },
  state: SourceState | undefined,
  request: ServerRequest & { readonly isDeclined: boolean },
): ServerTurn {
  const { digest } = bound
  if (request.harvest === 'unwanted') return { kind: 'leave', why: 'unwanted' }
  const isAgreed = request.agreed?.includes(digest) === true
  const known = state?.asked?.entry === digest ? state : undefined
  if (known !== undefined && request.refresh !== true) {
    const rest = restOf(known, entry, request)
    if (rest !== undefined) return rest
  }
  if (request.harvest === 'allowed' || isAgreed) return { kind: 'ask' }
  if (request.isDeclined) return { kind: 'leave', why: 'declined' }
  if (known !== undefined) return { kind: 'ask' }
  return { kind: 'leave', why: state?.asked === undefined ? 'not agreed' : 'launch changed' }
}

/** Whether a known server may have something new to say: its listing is old, or the pause after its failure is over. */
export function isListingDue({ reader, asked, indexedAt }: SourceState, now: Date): boolean {
  if (reader !== 'mcp-server' || asked === undefined) return false
  if (asked.failed !== undefined) return now.toISOString() >= asked.failed.again
  return !isFresh(indexedAt, now)
}

function isFresh(indexedAt: string | null, now: Date): boolean {
  const age = now.getTime() - Date.parse(indexedAt ?? '')
  return age >= 0 && age < listingMs
}

/** Why a server that was asked by the same entry need not be asked again yet. */
function restOf(
  state: SourceState,
  entry: McpServerEntry,
  { now, timeoutMs }: ServerRequest,
): ServerTurn | undefined {
  const { program, values, failed, cards }: Partial<AskedServer> = state.asked ?? {}
  const isSame = program === programState(entry) && (values ?? valuesOf(entry)) === valuesOf(entry)
  if (!isSame || (cards ?? cardVersion) !== cardVersion) return undefined
  if (failed !== undefined) {
    const hasMoreTime = timeoutMs !== undefined && timeoutMs > (failed.timeoutMs ?? 0)
    return now.toISOString() < failed.again && !hasMoreTime ? { kind: 'wait', failed } : undefined
  }
  // A store that was mended forgets the fingerprints of what lost cards.
  if (state.fingerprint === undefined || state.failure !== undefined || state.scan !== scanVersion)
    return undefined
  return isFresh(state.indexedAt, now) ? { kind: 'leave', why: 'unchanged' } : undefined
}

export function askedNow(entry: McpServerEntry, bound: BoundLaunch): AskedServer {
  const program = programState(entry)
  return {
    entry: bound.digest,
    launch: { place: bound.place, ...agreedLaunch(bound) },
    values: valuesOf(entry),
    cards: cardVersion,
    ...(program === undefined ? {} : { program }),
  }
}

/** What is not the same in the launch of a server since somebody agreed to it; undefined when all is, and when nobody did. */
export function launchChange(asked: AskedServer | undefined, now: BoundLaunch): LaunchDifference | undefined {
  if (asked === undefined || asked.entry === now.digest) return undefined
  const { launch } = asked
  if (launch === undefined)
    return { was: ['agreed to under an older Audition, which bound less of it'], now: now.words }
  if (launch.place === now.place) return launchDifference(launch, now)
  const inWords = ({ place, words }: Pick<BoundLaunch, 'place' | 'words'>): readonly string[] => [
    `configured in: ${place}`,
    ...words,
  ]
  return launchDifference({ ...launch, words: inWords(launch) }, { ...now, words: inWords(now) })
}

/**
 * A few bits of what an entry writes, its secrets too: enough to see that a token was rotated and that the server may answer otherwise,
 * too few to guess it by.
 */
const valuesOf = ({ launch }: McpServerEntry): string => digestOf(launch).slice(0, 4)

/** What a live server answered, to compare. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

/**
 * Size and time of the program that an entry starts, when that is a file: whoever works on a server of their own has it asked
 * again. Undefined where no word of the command line is a file.
 */
function programState({ config, launch }: McpServerEntry): string | undefined {
  if (launch.transport !== 'stdio') return undefined
  const folder = launch.cwd ?? projectFolderOf(config)
  for (const word of launch.args) {
    if (word.startsWith('-') || !/[.\\/]/.test(word)) continue
    try {
      const found = statSync(resolve(folder, word))
      if (found.isFile()) return `${found.size} ${Math.round(found.mtimeMs)}`
    } catch {} // no file of that name, or of none at all
  }
  return undefined
}

/** How long a listing is taken as it is, in milliseconds. */
const listingMs = 24 * 60 * 60 * 1000

const firstPauseMs = 5 * 60 * 1000
const longestPauseMs = listingMs

/** What is remembered of a failure: each in a row makes the pause longer. One that cost no start has none. */
export function failedServer(
  { message, remedy, output, wasAsked }: HarvestError,
  before: FailedServer | undefined,
  { now, timeoutMs }: { readonly now: Date; readonly timeoutMs?: number },
): FailedServer {
  const times = (before?.times ?? 0) + 1
  const pauseMs = wasAsked ? Math.min(firstPauseMs * 3 ** (times - 1), longestPauseMs) : 0
  return {
    times,
    again: new Date(now.getTime() + pauseMs).toISOString(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    message,
    remedy,
    ...(output === undefined ? {} : { output }),
  }
}
