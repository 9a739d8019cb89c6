import type { Card } from '../domain/card.ts'
import { identify } from '../catalog/identity.ts'
import { askedNow, digestOf, failedServer, launchChange } from './asking/asked-server.ts'
import type { AskedServer, FailedServer, SourceState } from '../store/source-state.ts'
import type { LaunchDifference } from '../trust/launches/bound-launch.ts'
import type { NotAsked } from './index-report.ts'
import { withinNameLimit } from '../catalog/name-limit.ts'
import type { OpenSource } from './open-source.ts'
import { HarvestError, type Problem } from '../catalog/ports.ts'
import { scanVersion } from '../trust/review/scan-version.ts'
import type { ServerIdentity } from '../store/source-review.ts'
import { type ServerRequest, serverTurn } from './asking/server-turn.ts'

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
 * @param kept - cards of it that came from what cannot be read now
 * @param isDeclined - whether the person did not want its server to be started
 * @throws the signal's reason when it is aborted
 */
export async function readSource(
  source: OpenSource,
  id: string,
  state: SourceState | undefined,
  request: ServerRequest & {
    readonly kept: readonly Card[]
    readonly isDeclined: boolean
    readonly signal: AbortSignal
  },
): Promise<SourceRead> {
  const { unread = [], server: entry, bound } = source
  const { kept, signal } = request
  const isSound = state?.failure === undefined && state?.scan === scanVersion
  const isSame = source.fingerprint !== null && state?.fingerprint === source.fingerprint
  if (isSame && isSound) return { outcome: 'kept', problems: state.problems }
  if (entry !== undefined && bound !== undefined) {
    const turn = serverTurn({ entry, bound }, state, request, request.isDeclined)
    if (turn.kind === 'wait') return waitingFor(turn.failed)
    if (turn.kind === 'leave') {
      const { why } = turn
      const problems = why === 'unchanged' ? state!.problems : []
      const launchChanged = why === 'launch changed' ? launchChange(state?.asked, bound) : undefined
      return {
        outcome: 'kept',
        problems,
        notAsked: why,
        ...(launchChanged === undefined ? {} : { launchChanged }),
      }
    }
  }
  try {
    const contents = await source.read(signal)
    const asked = entry === undefined || bound === undefined ? undefined : askedNow(entry, bound)
    const fingerprint = asked === undefined ? source.fingerprint : digestOf(contents)
    const isAsBefore = asked?.entry === state?.asked?.entry && state?.location === source.location
    if (asked !== undefined && isAsBefore && isSound && fingerprint === state?.fingerprint)
      return { outcome: 'same', problems: state.problems, asked }
    const named = withinNameLimit(contents.drafts)
    const { cards, problems } = identify(id, named.drafts, kept)
    return {
      outcome: 'read',
      cards,
      fingerprint,
      ...(asked === undefined ? {} : { asked }),
      problems: [
        ...unread.map(({ problem }) => problem),
        ...contents.problems,
        ...named.problems,
        ...problems,
      ],
      ...(source.launch === undefined ? {} : { server: { launch: source.launch, ...contents.server } }),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (entry === undefined || bound === undefined || !(error instanceof HarvestError))
      return { outcome: 'failed', ...failureOf(error) }
    if (request.isBackground === true && !error.wasAsked)
      return { outcome: 'kept', problems: state?.problems ?? [], notAsked: 'unchanged' }
    const asked = askedNow(entry, bound)
    const before = state?.asked?.entry === asked.entry ? state.asked.failed : undefined
    const failed = failedServer(error, before, request)
    return { outcome: 'failed', ...failureOf(error), asked: { ...asked, failed } }
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
