import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import { identify, withinNameLimit } from '../catalog/identity.ts'
import { HarvestError, type Problem } from '../catalog/ports.ts'
import type { Card } from '../domain/card.ts'
import type { ModelList } from '../domain/model-card.ts'
import type { CatalogChange } from '../store/catalog-writer.ts'
import { emptyReview, type ServerIdentity, type SourceReview } from '../store/source-review.ts'
import type { AskedServer, FailedServer, SourceState } from '../store/source-state.ts'
import type { LaunchDifference } from '../trust/launches/bound-launch.ts'
import { scanVersion } from '../trust/review/scan-version.ts'
import type { SourceNames } from '../trust/scan/rules/card-names.ts'
import type { NotAsked } from './index-report.ts'
import type { OpenSource } from './open-source.ts'
import {
  askedNow,
  digestOf,
  failedServer,
  launchChange,
  type ServerRequest,
  serverTurn,
} from './server-turn.ts'
import { namesOfDrafts } from './source-file.ts'

/** What became of reading one source. */
export type SourceRead =
  /** Nothing is new, or a server was not asked. */
  | {
      readonly outcome: 'kept'
      readonly problems: readonly Problem[]
      readonly notAsked?: NotAsked
      /** Of a server that was not asked since its launch is another one than somebody agreed to. */
      readonly launchChanged?: LaunchDifference
    }
  /** A server was asked, and answered what it had answered before. */
  | { readonly outcome: 'same'; readonly problems: readonly Problem[]; readonly asked: AskedServer }
  | {
      readonly outcome: 'failed'
      readonly message: string
      readonly remedy: string
      readonly output?: string
      /** Of a server. */
      readonly asked?: AskedServer
      /** It failed in an earlier run, and was not asked in this one. */
      readonly againAfter?: string
    }
  | {
      readonly outcome: 'read'
      readonly cards: readonly Card[]
      readonly models?: ModelList
      readonly problems: readonly Problem[]
      /** Hash of what was read. */
      readonly fingerprint: string | null
      readonly asked?: AskedServer
      readonly server?: ServerIdentity
    }

/**
 * Reads a source, unless its fingerprint says that nothing is new, or its server need or may not be asked. A fault of the source is an
 * outcome.
 *
 * @param request.kept - cards of it that came from what cannot be read now
 * @param request.isDeclined - whether the person did not want its server to be started
 * @throws the signal's reason when it is aborted
 */
export async function readSource(
  source: OpenSource,
  { id, state }: { readonly id: string; readonly state: SourceState | undefined },
  request: ServerRequest & {
    readonly kept: readonly Card[]
    readonly isDeclined: boolean
    readonly signal: AbortSignal
  },
): Promise<SourceRead> {
  const { server: entry, bound } = source
  const { kept, signal } = request
  if (isUnchanged(source, state)) return { outcome: 'kept', problems: state!.problems }
  const server = entry === undefined || bound === undefined ? undefined : { entry, bound }
  const unasked = server && unaskedServer(server, state, request)
  if (unasked !== undefined) return unasked
  try {
    const contents = await source.read(signal)
    const asked = server && askedNow(server.entry, server.bound)
    const fingerprint = asked === undefined ? source.fingerprint : digestOf(contents)
    const isAsBefore = asked?.entry === state?.asked?.entry && state?.location === source.location
    if (asked !== undefined && isAsBefore && isSound(state) && fingerprint === state?.fingerprint)
      return { outcome: 'same', problems: state.problems, asked }
    const named = withinNameLimit(contents.drafts)
    const { cards, problems } = identify(id, named.drafts, kept)
    return {
      outcome: 'read',
      cards,
      ...(contents.models === undefined ? {} : { models: contents.models }),
      fingerprint,
      ...(asked === undefined ? {} : { asked }),
      problems: [
        ...(source.unread ?? []).map(({ problem }) => problem),
        ...contents.problems,
        ...named.problems,
        ...problems,
      ],
      ...(source.launch === undefined ? {} : { server: { launch: source.launch, ...contents.server } }),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (server === undefined || !(error instanceof HarvestError))
      return { outcome: 'failed', ...failureOf(error) }
    if (request.isBackground === true && !error.wasAsked)
      return { outcome: 'kept', problems: state?.problems ?? [], notAsked: 'unchanged' }
    const asked = askedNow(server.entry, server.bound)
    const before = state?.asked?.entry === asked.entry ? state.asked.failed : undefined
    const failed = failedServer(error, before, request)
    return { outcome: 'failed', ...failureOf(error), asked: { ...asked, failed } }
  }
}

/** Of a server that need or may not be asked in this run. */
function unaskedServer(
  server: Parameters<typeof serverTurn>[0],
  state: SourceState | undefined,
  request: Parameters<typeof serverTurn>[2],
): SourceRead | undefined {
  const turn = serverTurn(server, state, request)
  if (turn.kind === 'wait') return waitingFor(turn.failed)
  if (turn.kind !== 'leave') return undefined
  const { why } = turn
  const problems = why === 'unchanged' ? state!.problems : []
  const launchChanged = why === 'launch changed' ? launchChange(state?.asked, server.bound) : undefined
  return {
    outcome: 'kept',
    problems,
    notAsked: why,
    ...(launchChanged === undefined ? {} : { launchChanged }),
  }
}

const isSound = (state: SourceState | undefined): state is SourceState =>
  state?.failure === undefined && state?.scan === scanVersion

const isUnchanged = ({ fingerprint }: OpenSource, state: SourceState | undefined): boolean =>
  fingerprint !== null && state?.fingerprint === fingerprint && isSound(state)

/** The names of the cards that reading a file will give, without the cards; null where it is not read. */
export async function namesIn(
  source: OpenSource,
  { id, state }: { readonly id: string; readonly state: SourceState | undefined },
  signal: AbortSignal,
): Promise<SourceNames | null> {
  if (isUnchanged(source, state)) return null
  try {
    return { ...(source.names?.() ?? namesOfDrafts((await source.read(signal)).drafts)), source: id }
  } catch {
    signal.throwIfAborted()
    return null
  }
}

const waitingFor = ({ message, remedy, output, again }: FailedServer): SourceRead => ({
  outcome: 'failed',
  message,
  remedy,
  ...(output === undefined ? {} : { output }),
  againAfter: again,
})

const failureOf = (
  error: unknown,
): { readonly message: string; readonly remedy: string; readonly output?: string } =>
  error instanceof HarvestError
    ? {
        message: error.message,
        remedy: error.remedy,
        ...(error.output === undefined ? {} : { output: error.output }),
      }
    : {
        message: error instanceof Error ? error.message : String(error),
        remedy: 'Mend the source and index it again.',
      }

/** Live servers asked at the same time: most of the time they are waited for, at their start they want a processor. */
export const serversAtOnce = Math.min(16, Math.max(8, 2 * availableParallelism()))

/** Which turn a live server has: those that failed before come last, so that nothing waits behind them. */
const failuresOf = (state: SourceState | undefined): number => state?.asked?.failed?.times ?? 0

/** Reads sources: live servers side by side, the others in their order. */
export function readSources(
  sources: readonly OpenSource[],
  stateOf: (source: OpenSource) => SourceState | undefined,
  {
    signal,
    read,
  }: { readonly signal: AbortSignal; readonly read: (source: OpenSource) => Promise<ReadPart> },
): Promise<ReadPart[]> {
  const limit = pLimit(serversAtOnce)
  const order = sources.toSorted((a, b) => failuresOf(stateOf(a)) - failuresOf(stateOf(b)))
  const turn = async (source: OpenSource): Promise<ReadPart> => {
    // Timers and signals have their turn between two sources.
    await setImmediate()
    signal.throwIfAborted()
    return read(source)
  }
  const parts = new Map(
    order.map((source) => [source, source.isLive ? limit(turn, source) : turn(source)] as const),
  )
  return Promise.all(sources.map((source) => parts.get(source)!))
}

/** The key of the row that remembers that a person does not want an entry to be started. */
const keyOf = (digest: string): string => `declined:${digest}`

/**
 * Whether a person chose not to have the server of a source started, as its entry is now.
 *
 * @param now - digests of entries of which they say so in this run
 */
export function isDeclined(
  { bound }: OpenSource,
  reviews: readonly SourceReview[],
  now: readonly string[] = [],
): boolean {
  if (bound === undefined) return false
  const { digest } = bound
  return now.includes(digest) || isEntryDeclined(digest, reviews)
}

export const isEntryDeclined = (digest: string, reviews: readonly SourceReview[]): boolean =>
  reviews.some(({ key, declined }) => declined === true && key === keyOf(digest))

/** What the store has to remember of choices made in a run, and to forget since a server was asked all the same. */
export function declining(
  parts: readonly ReadPart[],
  digests: readonly string[],
  reviews: readonly SourceReview[],
): Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>> {
  const asked = parts.flatMap(({ source, result }) =>
    source.bound !== undefined && 'asked' in result ? [keyOf(source.bound.digest)] : [],
  )
  return {
    reviews: digests
      .filter((digest) => !isEntryDeclined(digest, reviews))
      .map((digest) => ({ ...emptyReview(keyOf(digest)), declined: true as const })),
    removeReviews: reviews.filter(({ key }) => asked.includes(key)).map(({ key }) => key),
  }
}

/** A source, and what became of reading it. */
export type ReadPart = {
  readonly source: OpenSource
  readonly id: string
  readonly state: SourceState | undefined
  readonly result: SourceRead
}
