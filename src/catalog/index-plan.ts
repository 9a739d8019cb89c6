import pLimit from 'p-limit'
import { goneSources, lostSources } from './gone-sources.ts'
import type { Harvesting, SourceReport } from './index-report.ts'
import { type Opened, type OpenSource, openSources, type Surroundings } from './open-sources.ts'
import { goneReport, planSource, type ReadPart, unreadSource } from './plan-source.ts'
import type { CatalogChange, CatalogWriter, Problem, SourceState } from './ports.ts'
import { readSource } from './read-source.ts'
import { retireSources } from './review/retire.ts'
import { type ReadSource, reviewRun } from './review/review-run.ts'
import { defaultTrust } from './review/trust.ts'
import { assignIds, distinct, unusedName } from './source-ids.ts'
import { lastRead, type Unread } from './unread.ts'
import { unreadSources } from './unread-sources.ts'

/** Live servers asked at the same time. */
const harvestConcurrency = 6

/** All an index run would change, and the report of it. */
export type IndexPlan = {
  readonly change: CatalogChange
  readonly plans: readonly SourceReport[]
  /** What is wrong at the locations, beside what is wrong with a source. */
  readonly problems: readonly Problem[]
  /** All sources as they are once the change is committed. */
  readonly states: readonly SourceState[]
  /** Nothing would change but, perhaps, the states of sources. */
  readonly isEmpty: boolean
}

/** What {@link planIndex} is asked. */
export type PlanRequest = {
  readonly locations: readonly string[]
  /** Those of them that nobody named, so that it is no news when they give nothing. */
  readonly found?: readonly string[]
  /** Name of the source when there is one. */
  readonly as?: string
  /** Whether live servers may be started. */
  readonly harvest: Harvesting
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
  const cardsFrom = (id: string, places: readonly Unread[]) => lastRead(id, places, reviews, writer)
  const unread = await unreadSources(
    opened,
    found,
    states,
    async (id, places) => (await cardsFrom(id, places)).length > 0,
  )
  const tried = states.filter((state) => !unread.has(state))
  const launches = new Map(reviews.map(({ key, server }) => [key, server?.launch]))
  const gone = goneSources(opened, found, tried, ({ id }) => launches.get(id))
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
        const kept = await cardsFrom(id, source.unread ?? [])
        const result = await readSource(source, id, state, { ...request, kept })
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
  const planned = [
    ...parts.map((part) => planSource(part, reviewed.get(part.id), request.now)),
    ...[...unread].map(unreadSource),
  ]
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
      ...opened.flatMap(({ nothing }, at) =>
        nothing === undefined || request.found?.includes(request.locations[at]!) ? [] : [nothing],
      ),
      ...untold(opened, found, unread),
      ...lostSources(opened, tried, gone).map(noLongerKnown),
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

const readOf = ({ source, id, state, result }: ReadPart, { bundledFolder }: Surroundings): ReadSource[] =>
  result.outcome === 'read'
    ? [{ ...result, id, state, defaultTrust: defaultTrust(source, bundledFolder) }]
    : []

/** Problems of what could not be read and belongs to no source, as far as is known. */
function untold(
  opened: readonly Opened[],
  found: readonly OpenSource[],
  unreadSources: ReadonlyMap<SourceState, readonly Unread[]>,
): readonly Problem[] {
  const told = new Set([...found.flatMap(({ unread = [] }) => unread), ...[...unreadSources.values()].flat()])
  return opened.flatMap(({ unread }) => unread.flatMap((one) => (told.has(one) ? [] : [one.problem])))
}

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
