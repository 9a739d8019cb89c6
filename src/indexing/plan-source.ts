import { areComposed } from '../catalog/formats/capability-profile.ts'
import type { Problem } from '../catalog/ports.ts'
import type { ModelList } from '../domain/model-card.ts'
import { withRemedy } from '../domain/remedy-error.ts'
import { countOf } from '../domain/text/count-of.ts'
import type { Seen, SourceState } from '../store/source-state.ts'
import { heldCounts } from '../trust/review/held-notices.ts'
import type { RunReview } from '../trust/review/review-run.ts'
import { scanVersion } from '../trust/review/scan-version.ts'
import { seenAfter, seenAgain, seenAs, seenBeforeCounting, standingOf } from '../trust/standing.ts'
import type { SourceReport } from './index-report.ts'
import type { OpenSource, Unread } from './open-source.ts'
import type { ReadPart, SourceRead } from './read-source.ts'

/** What a run says of a source, and what the store remembers of it. */
type PlannedSource = {
  readonly plan: SourceReport
  /** Absent when the state stays as it is. */
  readonly state?: SourceState
}

/** What a run knows beside the source. */
type RunFacts = {
  readonly now: Date
  /** The store had no source of others before: what came first is nobody's newcomer. */
  readonly isFirst: boolean
  /** Of sources that are new under their id, by that: the one that held the very same cards, and is known for so long. */
  readonly moved: ReadonlyMap<string, SourceState>
}

/** @param review - of a source that was read */
export function planSource(part: ReadPart, review: RunReview | undefined, run: RunFacts): PlannedSource {
  const { source, id, state, result } = part
  const { location, reader } = source
  const counts = { added: 0, changed: 0, unchanged: 0, removed: 0 }
  const base = { source: id, location, reader, ...counts, ...unreadOf(source) }
  const kept: SourceReport = {
    ...base,
    unchanged: (state?.tools ?? 0) + (state?.agents ?? 0),
    problems: [],
    ...(state?.models === undefined ? {} : { models: state.models }),
    ...heldOf(state),
  }
  if (result.outcome === 'kept') return keptSource({ ...part, result }, kept, run)
  if (result.outcome === 'same') return sameSource({ ...part, result }, kept, run)
  if (result.outcome === 'failed') return failedSource({ ...part, result }, kept)
  if (review === undefined) throw new Error(`source "${id}" was read and not reviewed`)
  const { inSearch, added, changed } = review
  return {
    plan: {
      ...base,
      added,
      changed,
      unchanged: inSearch.tool + inSearch.agent - added - changed,
      removed: review.remove.length,
      problems: result.problems,
      ...modelCounts(result.models),
      ...heldOf(heldCounts(review.review)),
      ...findingsOf(review),
    },
    state: stateOfRead({ ...part, result }, review, run),
  }
}

/** A source, and what became of reading it in one way. */
type PartRead<Outcome extends SourceRead['outcome']> = Omit<ReadPart, 'result'> & {
  readonly result: Extract<SourceRead, { readonly outcome: Outcome }>
}

function keptSource(
  { state, result }: PartRead<'kept'>,
  kept: SourceReport,
  { now }: RunFacts,
): PlannedSource {
  const { problems, notAsked, launchChanged } = result
  const seen = notAsked === undefined ? seenAgain(state?.seen, now) : undefined
  return {
    plan: {
      ...kept,
      problems,
      ...(notAsked === undefined ? {} : { notAsked }),
      ...(launchChanged === undefined ? {} : { launchChanged }),
    },
    ...(state === undefined || seen === undefined ? {} : { state: { ...state, seen } }),
  }
}

function sameSource(
  { id, state, result: { problems, asked } }: PartRead<'same'>,
  kept: SourceReport,
  { now }: RunFacts,
): PlannedSource {
  if (state === undefined) throw new Error(`source "${id}" answered as before and is not known`)
  const seen = seenAgain(state.seen, now)
  return {
    plan: { ...kept, problems },
    state: { ...state, indexedAt: now.toISOString(), asked, ...(seen === undefined ? {} : { seen }) },
  }
}

function stateOfRead(
  { source, id, state, result }: PartRead<'read'>,
  review: RunReview,
  { now, isFirst, moved }: RunFacts,
): SourceState {
  const { location, reader } = source
  const { inSearch } = review
  return {
    id,
    location,
    reader,
    ...(result.fingerprint === null ? {} : { fingerprint: result.fingerprint }),
    ...(result.asked === undefined ? {} : { asked: result.asked }),
    indexedAt: now.toISOString(),
    tools: inSearch.tool,
    agents: inSearch.agent,
    ...(areComposed(result.cards) ? { composed: true } : {}),
    ...modelCounts(result.models),
    problems: remembered(result.problems, location),
    ...heldCounts(review.review),
    trust: review.trust,
    standing: standingOf(source, review.review.decision),
    seen: seenAfter(seenBefore(id, state, moved.get(id)), {
      now,
      isFirst,
      fresh: state === undefined ? [] : review.fresh,
      removed: review.remove,
    }),
    scan: scanVersion,
  }
}

/** What a source says of language models, where it does. */
const modelCounts = (list: ModelList | undefined): Pick<SourceState, 'models'> =>
  list === undefined ? {} : { models: { cards: list.models.length, tasks: list.outcomes.length } }

function seenBefore(
  id: string,
  state: SourceState | undefined,
  same: SourceState | undefined,
): Seen | undefined {
  if (state === undefined) return same?.seen && seenAs(same.seen, same.id, id)
  if (state.seen !== undefined) return state.seen
  return state.indexedAt === null ? undefined : seenBeforeCounting(state.indexedAt)
}

/** What was read of it before stays; of a server that was not asked again, all that is known of its failure too. */
function failedSource({ source, id, state, result }: PartRead<'failed'>, kept: SourceReport): PlannedSource {
  const { message, remedy, output, asked, againAfter } = result
  const plan: SourceReport = {
    ...kept,
    failure: { message, remedy, ...(output === undefined ? {} : { output }) },
    problems: source.unread?.map(({ problem }) => problem) ?? [],
  }
  if (againAfter !== undefined) return { plan: { ...plan, notAsked: 'failed before', againAfter } }
  const { location, reader } = source
  const known = state ?? { id, reader, indexedAt: null, tools: 0, agents: 0, problems: [] }
  return {
    plan,
    state: {
      ...known,
      location,
      failure: withRemedy(message, remedy),
      ...(asked === undefined ? {} : { asked }),
    },
  }
}

/** A source that could not be read: the first reason is its failure, and any more are its problems. */
export function unreadSource([state, places]: readonly [SourceState, readonly Unread[]]): PlannedSource {
  const { id, location, reader, tools, agents } = state
  const [first, ...others] = places.map(({ problem }) => problem)
  if (first === undefined) throw new Error(`source "${id}" is unread for no reason`)
  const { file, message, remedy } = first
  const failure = { message: `${file}: ${message}`, remedy }
  return {
    plan: {
      source: id,
      location,
      reader,
      added: 0,
      changed: 0,
      unchanged: tools + agents,
      removed: 0,
      ...heldOf(state),
      failure,
      problems: others,
    },
    state: {
      ...state,
      failure: withRemedy(failure.message, remedy),
      problems: remembered(others, location),
    },
  }
}

const unreadOf = ({ unread = [] }: OpenSource): Pick<SourceReport, 'unread'> =>
  unread.length === 0 ? {} : { unread: unread.map(({ path }) => path) }

/** Problems remembered with a source, or a folder; a run reports all of them. */
const keptProblems = 50

export function remembered(problems: readonly Problem[], location: string): readonly Problem[] {
  const more = problems.length - keptProblems
  if (more <= 0) return problems
  const message = `has ${countOf(more, 'more problem')} that were not kept`
  const rest: Problem = {
    severity: 'warning',
    file: location,
    message,
    remedy: 'Mend these and index it again.',
  }
  return [...problems.slice(0, keptProblems), rest]
}

const heldOf = (state: Pick<SourceState, 'held'> | undefined): Pick<SourceReport, 'held'> =>
  state?.held === undefined ? {} : { held: state.held }

/** What the scan found in this run, and the changes that are held. */
function findingsOf({
  findings,
  review,
  version,
}: RunReview): Pick<SourceReport, 'findings' | 'changes' | 'version'> {
  const found = [...findings].map(([card, list]) => ({ card, findings: list }))
  const changes = review.held.flatMap(({ card, change, replaces, refused }) =>
    change === undefined || refused
      ? []
      : [{ card: card.id, change, ...(replaces === undefined ? {} : { replaces }) }],
  )
  return {
    ...(found.length === 0 ? {} : { findings: found }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(version === undefined ? {} : { version }),
  }
}

/** A source that is forgotten with its cards. */
export const goneReport = ({ id, location, reader, tools, agents }: SourceState): SourceReport => ({
  source: id,
  location,
  reader,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: tools + agents,
  problems: [],
})
