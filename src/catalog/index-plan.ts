import pLimit from 'p-limit'
import { withRemedy } from '../domain/with-remedy.ts'
import { goneSources, lostSources } from './gone-sources.ts'
import type { SourceReport } from './index-report.ts'
import { type Opened, type OpenSource, openSources, type Surroundings } from './open-sources.ts'
import type { CatalogChange, CatalogWriter, Problem, SourceState } from './ports.ts'
import { readSource, type SourceRead } from './read-source.ts'
import { heldCounts } from './review/held-counts.ts'
import { retireSources } from './review/retire.ts'
import { type ReadSource, type RunReview, reviewRun } from './review/review-run.ts'
import { scanVersion } from './review/scan-version.ts'
import { defaultTrust } from './review/trust.ts'
import { assignIds, distinct, unusedName } from './source-ids.ts'

/** Live servers asked at the same time. */
const harvestConcurrency = 6

/** All an index run would change, and the report of it. */
export type IndexPlan = {
  readonly change: CatalogChange
  readonly plans: readonly SourceReport[]
  /** Problems of locations that gave no source. */
  readonly problems: readonly Problem[]
  /** All sources as they are once the change is committed. */
  readonly states: readonly SourceState[]
  /** Nothing would change but, perhaps, the states of sources. */
  readonly isEmpty: boolean
}

/** What {@link planIndex} is asked. */
export type PlanRequest = {
  readonly locations: readonly string[]
  /** Name of the source when there is one. */
  readonly as?: string
  /** Whether live servers may be started. */
  readonly harvest: boolean
  readonly now: Date
  readonly signal: AbortSignal
  readonly onSources?: (count: number) => void
  readonly onSource?: (source: string, done: number, total: number) => void
}

/** Reads the locations and compares them with the store. Changes nothing. */
export async function planIndex(
  writer: CatalogWriter,
  surroundings: Surroundings,
  request: PlanRequest,
): Promise<IndexPlan> {
  const { signal } = request
  const states = await writer.sources()
  const opened: Opened[] = []
  for (const location of request.locations) opened.push(await openSources(location, surroundings, signal))
  const found = distinct(
    opened.flatMap(({ sources }) => sources),
    states,
  )
  request.onSources?.(found.length)

  const reviews = await writer.reviews()
  const launches = new Map(reviews.map(({ key, server }) => [key, server?.launch]))
  const gone = goneSources(opened, found, states, ({ id }) => launches.get(id))
  const { removed, moved } = gone
  const stateOf = (source: OpenSource): SourceState | undefined =>
    states.find(({ location }) => location === source.location) ?? moved.get(source)
  const ids = assignIds(found, stateOf, states, request.as)
  const limit = pLimit(harvestConcurrency)
  let done = 0
  const parts = await Promise.all(
    found.map((source) => {
      const read = async (): Promise<ReadPart> => {
        await breathe(signal)
        const [id, state] = [ids.get(source)!, stateOf(source)]
        const result = await readSource(source, id, state, request)
        done += 1
        request.onSource?.(id, done, found.length)
        return { source, id, state, result }
      }
      return source.isLive ? limit(read) : read()
    }),
  )
  const reviewed = await reviewRun(
    parts.flatMap((part) => readOf(part, surroundings)),
    states,
    reviews,
    writer,
    signal,
  )
  const planned = parts.map((part) => planSource(part, reviewed.get(part.id), request.now))
  const removeSources = removed.map(({ id }) => id)
  const retired = await retireSources(removeSources, reviews, writer)
  const all = [...reviewed.values()]
  const change: CatalogChange = {
    put: all.flatMap(({ put }) => put),
    remove: all.flatMap(({ remove }) => remove),
    sources: planned.flatMap(({ state }) => state ?? []),
    removeSources,
    reviews: [...retired.reviews, ...all.flatMap(({ write }) => write ?? [])],
    removeReviews: [...retired.removeReviews, ...all.flatMap(({ forget }) => forget)],
  }
  return {
    change,
    plans: [...planned.map(({ plan }) => plan), ...removed.map(goneReport)],
    problems: [
      ...opened.flatMap(({ problems }) => problems),
      ...lostSources(opened, states, gone).map(noLongerKnown),
      ...unusedName(found, stateOf, request),
    ],
    states: statesAfter(states, change),
    isEmpty: change.put.length + change.remove.length + change.removeSources.length === 0,
  }
}

const statesAfter = (states: readonly SourceState[], change: CatalogChange): readonly SourceState[] => {
  const after = new Map(states.map((state) => [state.id, state]))
  for (const id of change.removeSources) after.delete(id)
  for (const state of change.sources) after.set(state.id, state)
  return [...after.values()]
}

/** A source, and what became of reading it. */
type ReadPart = {
  readonly source: OpenSource
  readonly id: string
  readonly state: SourceState | undefined
  readonly result: SourceRead
}

const readOf = ({ source, id, state, result }: ReadPart, { bundledFolder }: Surroundings): ReadSource[] =>
  result.outcome === 'read'
    ? [{ ...result, id, state, defaultTrust: defaultTrust(source, bundledFolder) }]
    : []

type PlannedSource = {
  readonly plan: SourceReport
  /** Absent when the state stays as it is. */
  readonly state?: SourceState
}

function planSource(
  { source, id, state, result }: ReadPart,
  review: RunReview | undefined,
  now: Date,
): PlannedSource {
  const { location, reader } = source
  const base = { source: id, location, reader, added: 0, changed: 0, unchanged: 0, removed: 0 }
  const kept = { ...base, unchanged: (state?.tools ?? 0) + (state?.agents ?? 0), ...heldOf(state) }
  if (result.outcome === 'kept') return { plan: { ...kept, problems: result.problems } }
  if (result.outcome === 'failed') {
    const { message, remedy } = result
    const known = state ?? { id, reader, indexedAt: null, tools: 0, agents: 0, problems: [] }
    return {
      plan: { ...kept, failure: { message, remedy }, problems: [] },
      state: { ...known, location, failure: withRemedy(message, remedy) },
    }
  }
  if (review === undefined) throw new Error(`source "${id}" was read and not reviewed`)
  const { inSearch, added, changed } = review
  const counts = heldCounts(review.review)
  return {
    plan: {
      ...base,
      added,
      changed,
      unchanged: inSearch.tool + inSearch.agent - added - changed,
      removed: review.remove.length,
      problems: result.problems,
      ...heldOf(counts),
      ...findingsOf(review),
    },
    state: {
      id,
      location,
      reader,
      ...(source.fingerprint === null ? {} : { fingerprint: source.fingerprint }),
      indexedAt: now.toISOString(),
      tools: inSearch.tool,
      agents: inSearch.agent,
      problems: result.problems.slice(0, keptProblems),
      ...counts,
      trust: review.trust,
      scan: scanVersion,
    },
  }
}

/** Problems remembered with a source; a run reports all of them. */
const keptProblems = 50

const heldOf = (state: Pick<SourceState, 'held'> | undefined): Pick<SourceReport, 'held'> =>
  state?.held === undefined ? {} : { held: state.held }

/** What the scan found in this run, and the changes that are held. */
function findingsOf({
  findings,
  review,
  version,
}: RunReview): Pick<SourceReport, 'findings' | 'changes' | 'version'> {
  const found = [...findings].map(([card, list]) => ({ card, findings: list }))
  const changes = review.held.flatMap(({ card, change, replaces }) =>
    change === undefined ? [] : [{ card: card.id, change, ...(replaces === undefined ? {} : { replaces }) }],
  )
  return {
    ...(found.length === 0 ? {} : { findings: found }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(version === undefined ? {} : { version }),
  }
}

const goneReport = ({ id, location, reader, tools, agents }: SourceState): SourceReport => ({
  source: id,
  location,
  reader,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: tools + agents,
  problems: [],
})

const noLongerKnown = ({ id, location }: SourceState): Problem => ({
  severity: 'warning',
  file: location,
  message: `was the source "${id}" and is no longer recognised; its old cards stay`,
  remedy: `Mend the file, or run \`audition sources remove ${id}\`.`,
})

/** Lets timers and signals run between two sources. */
const breathe = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setImmediate(() => (signal.aborted ? reject(signal.reason) : resolve()))
  })
