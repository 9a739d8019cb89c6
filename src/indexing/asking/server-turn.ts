import { listingMs, programState, valuesOf } from './asked-server.ts'
import type { AskedServer, FailedServer, SourceState } from '../../store/source-state.ts'
import type { BoundLaunch } from '../../trust/launches/bound-launch.ts'
import { cardVersion } from '../../catalog/identity.ts'
import type { Harvesting, NotAsked } from '../index-report.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { scanVersion } from '../../trust/review/scan-version.ts'

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
 * @param declined - whether the person was asked before, and did not want it to be started
 */
export function serverTurn(
  { entry, bound }: { readonly entry: McpServerEntry; readonly bound: BoundLaunch },
  state: SourceState | undefined,
  request: ServerRequest,
  declined: boolean,
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
  if (declined) return { kind: 'leave', why: 'declined' }
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
