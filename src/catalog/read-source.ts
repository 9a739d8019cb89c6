import type { Card } from '../domain/card.ts'
import { identify } from './identity.ts'
import type { Harvesting } from './index-report.ts'
import { withinNameLimit } from './name-limit.ts'
import type { OpenSource } from './open-sources.ts'
import { HarvestError, type Problem, type SourceState } from './ports.ts'
import { scanVersion } from './review/scan-version.ts'
import type { ServerIdentity } from './review/source-review.ts'

/** What became of reading one source. */
export type SourceRead =
  /** Nothing is new, or a server was not asked: `notAsked` when none was to be. */
  | { readonly outcome: 'kept'; readonly problems: readonly Problem[]; readonly notAsked?: true }
  | { readonly outcome: 'failed'; readonly message: string; readonly remedy: string }
  | {
      readonly outcome: 'read'
      readonly cards: readonly Card[]
      readonly problems: readonly Problem[]
      readonly server?: ServerIdentity
    }

/**
 * Reads a source, unless its fingerprint says that nothing is new. A fault of the source is an outcome.
 *
 * @param harvest - whether live servers may be started
 * @param kept - cards of it that came from what cannot be read now
 * @throws the signal's reason when it is aborted
 */
export async function readSource(
  source: OpenSource,
  id: string,
  state: SourceState | undefined,
  {
    harvest,
    kept,
    signal,
  }: { readonly harvest: Harvesting; readonly kept: readonly Card[]; readonly signal: AbortSignal },
): Promise<SourceRead> {
  const { unread = [] } = source
  const isSame = source.fingerprint !== null && state?.fingerprint === source.fingerprint
  if (isSame && state.failure === undefined && state.scan === scanVersion)
    return { outcome: 'kept', problems: state.problems }
  if (source.isLive && harvest === 'unwanted') return { outcome: 'kept', problems: [], notAsked: true }
  if (source.isLive && harvest === 'refused') return { outcome: 'kept', problems: [refused(source)] }
  try {
    const contents = await source.read(signal)
    const named = withinNameLimit(contents.drafts)
    const { cards, problems } = identify(id, named.drafts, kept)
    return {
      outcome: 'read',
      cards,
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
    return { outcome: 'failed', ...failureOf(error) }
  }
}

const failureOf = (error: unknown): { readonly message: string; readonly remedy: string } =>
  error instanceof HarvestError
    ? { message: error.message, remedy: error.remedy }
    : {
        message: error instanceof Error ? error.message : String(error),
        remedy: 'Mend the source and index it again.',
      }

const refused = (source: OpenSource): Problem => ({
  severity: 'warning',
  file: source.location,
  message: 'the server was not asked for its tools: nobody agreed to start it',
  remedy: 'Agree to start it, or name its configuration; --yes agrees unasked.',
})
