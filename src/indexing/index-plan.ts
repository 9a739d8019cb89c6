import { deciding, hasOwnCards, isBundledWanted } from '../trust/bundled/bundled-choice.ts'
import { areComposed } from '../catalog/formats/capability-profile.ts'
import { isBundledLocation, locationsMeant } from '../catalog/bundled-parts.ts'
import { settleBundled } from '../trust/bundled/former-bundled.ts'
import { goneSources, lostSources, movedSources, unreadSources } from './gone-sources.ts'
import type { SourceReport } from './index-report.ts'
import { openSources } from './open-sources.ts'
import { type Opened, type OpenSource, type Surroundings, lastRead, type Unread } from './open-source.ts'
import { isOfOtherProject } from './server-sources.ts'
import { goneReport, planSource, unreadSource } from './plan-source.ts'
import {
  type ReadPart,
  readSource,
  type SourceRead,
  readSources,
  declining,
  isDeclined,
} from './read-source.ts'
import type { Problem } from '../catalog/ports.ts'
import type { CatalogChange, CatalogWriter } from '../store/catalog-writer.ts'
import type { SourceState } from '../store/source-state.ts'
import { retireSources } from '../trust/review/retire.ts'
import { type ReadSource, reviewRun } from '../trust/review/review-run.ts'
import { defaultTrust } from '../trust/review/trust.ts'
import { isBound, storedStanding } from '../trust/standing.ts'
import { assignIds, distinct, unusedName } from './source-ids.ts'
import type { ServerRequest } from './server-turn.ts'

/** All an index run would change, and the report of it. */
export type IndexPlan = {
  readonly change: CatalogChange
  readonly plans: readonly SourceReport[]
  /** What is wrong at the locations, beside what is wrong with a source. */
  readonly problems: readonly Problem[]
  /** All sources as they are once the change is committed. */
  readonly states: readonly SourceState[]
  /** Cards of the bundled catalog that leave search, since the user has sources of their own now. */
  readonly bundledCardsLeft: number
  /** Servers of other projects that were never read, and are not read now. */
  readonly ofOtherProjects: number
  /** Nothing would change but, perhaps, the states of sources. */
  readonly isEmpty: boolean
}

/** What {@link planIndex} is asked. */
type PlanRequest = ServerRequest & {
  readonly locations: readonly string[]
  /** Those of them that nobody named, so that it is no news when they give nothing. */
  readonly found?: readonly string[]
  /** Name of the source when there is one. */
  readonly as?: string
  /** Digests of entries that the person does not want to be started. */
  readonly declined?: readonly string[]
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
  const { bundledFolder } = surroundings
  const settled = await settleBundled(await writer.sources(), bundledFolder, writer)
  const { states, renamed, copies } = settled
  const { locations, found: unnamed } = placesOf(request, bundledFolder, settled.paths)
  const opened: Opened[] = []
  for (const location of locations) opened.push(await openSources(location, surroundings, signal))
  const isNamed = (location: string): boolean => !unnamed.has(location)
  const { cwd, user } = surroundings
  const place = { cwd: cwd ?? '', user, named: request.locations.filter(isNamed) }
  const isElsewhere = ({ server }: OpenSource): boolean =>
    cwd !== undefined && server !== undefined && isOfOtherProject(server, place)
  const known = new Set(states.map(({ location }) => location))
  const all = distinct(
    opened.flatMap(({ sources }) => sources),
    states,
  )
  const found = all.filter((source) => known.has(source.location) || !isElsewhere(source))

  const reviews = await writer.reviews()
  const cardsFrom = (id: string, places: readonly Unread[]) => lastRead(id, places, { reviews, writer })
  const unread = await unreadSources(
    { opened, found, states },
    async (id, places) => (await cardsFrom(id, places)).length > 0,
  )
  const tried = states.filter((state) => !unread.has(state))
  const launches = new Map(reviews.map(({ key, server }) => [key, server?.launch]))
  const gone = goneSources({ opened, found, states: tried }, ({ id }) => launches.get(id))
  const { removed, moved } = gone
  const stateOf = (source: OpenSource): SourceState | undefined =>
    states.find(({ location }) => location === source.location) ?? moved.get(source)
  const ids = assignIds(found, { states, stateOf }, request.as)
  let done = 0
  const readAll = (sources: readonly OpenSource[], total: number): Promise<ReadPart[]> => {
    const read = async (source: OpenSource): Promise<ReadPart> => {
      const [id, state] = [ids.get(source)!, stateOf(source)]
      const kept = await cardsFrom(id, source.unread ?? [])
      const result = isElsewhere(source)
        ? leftToItsProject
        : await readSource(
            source,
            { id, state },
            {
              ...request,
              ...harvestOf(source, request),
              kept,
              isDeclined: isDeclined(source, reviews, request.declined),
            },
          )
      done += 1
      request.onSource?.(id, done, total)
      return { source, id, state, result }
    }
    return readSources(sources, stateOf, { signal, read })
  }
  const staying = states.filter((state) => !removed.includes(state))
  const named = locations.filter((location) => isBundledLocation(location) && !unnamed.has(location))
  const ours = found.filter(({ location }) => isBundledLocation(location))
  const theirs = found.filter((source) => !ours.includes(source))
  const wanted = (owner: 'own' | 'none') => isBundledWanted({ named, reviews, owner })
  const oursAtMost = ours.filter(wanted(hasOwnCards(staying) ? 'own' : 'none'))
  request.onSources?.(theirs.length + oursAtMost.length)
  const parts = await readAll(theirs, theirs.length + oursAtMost.length)
  const isOwner = hasOwnCards(staying) || parts.some(hasCards)
  const isWanted = wanted(isOwner ? 'own' : 'none')
  const oursNow = ours.filter(isWanted)
  parts.push(...(await readAll(oursNow, theirs.length + oursNow.length)))

  const reviewed = await reviewRun(
    parts.flatMap((part) => readOf(part)),
    { states, reviews },
    { writer, signal },
  )
  const facts = {
    now: request.now,
    isFirst: !states.some((state) => isBound(storedStanding(state))),
    moved: await movedSources(parts, states, writer),
  }
  const planned = [
    ...parts.map((part) => planSource(part, reviewed.get(part.id), facts)),
    ...[...unread].map(unreadSource),
  ]
  const switchedOff = staying.filter((state) => isBundledLocation(state.location) && !isWanted(state))
  const removeSources = [...removed, ...switchedOff, ...copies].map(({ id }) => id)
  const retired = await retireSources(removeSources, reviews, writer)
  const decided = deciding(named, 'on', reviews)
  const declined = declining(parts, request.declined ?? [], reviews)
  const reviewedAll = [...reviewed.values()]
  const change: CatalogChange = {
    put: reviewedAll.flatMap(({ put }) => put),
    remove: reviewedAll.flatMap(({ remove }) => remove),
    sources: eachOnce([...renamed, ...planned.flatMap(({ state }) => state ?? [])]).filter(
      ({ id }) => !removeSources.includes(id),
    ),
    removeSources,
    models: parts.flatMap(({ id, result }) =>
      result.outcome === 'read' && result.models !== undefined ? [{ source: id, list: result.models }] : [],
    ),
    reviews: [
      ...retired.reviews,
      ...decided.reviews,
      ...declined.reviews,
      ...reviewedAll.flatMap(({ write }) => write ?? []),
    ],
    removeReviews: [
      ...retired.removeReviews,
      ...decided.removeReviews,
      ...declined.removeReviews,
      ...reviewedAll.flatMap(({ forget }) => forget),
    ],
  }
  return {
    change,
    plans: [...planned.map(({ plan }) => plan), ...removed.map(goneReport)],
    problems: [
      ...opened.flatMap(({ problems }) => problems),
      ...opened.flatMap(({ nothing }, at) =>
        nothing === undefined || unnamed.has(locations[at]!) ? [] : [nothing],
      ),
      ...untold(opened, found, unread),
      ...lostSources(opened, tried, gone).map(noLongerKnown),
      ...unusedName(found, stateOf, request),
    ],
    states: statesAfter(states, change),
    ofOtherProjects: all.length - found.length,
    bundledCardsLeft: switchedOff.reduce((sum, { tools, agents }) => sum + tools + agents, 0),
    isEmpty: change.put.length + change.remove.length + change.removeSources.length === 0,
  }
}

/**
 * The locations asked for, and those of them that nobody named; the bundled catalog by its parts.
 *
 * @param former - paths at which it lay: nobody meant them who did not name them
 */
function placesOf(
  { locations, found = [] }: PlanRequest,
  bundledFolder: string | undefined,
  former: ReadonlySet<string>,
): { readonly locations: readonly string[]; readonly found: ReadonlySet<string> } {
  const meant = (places: readonly string[]) =>
    new Set(places.flatMap((place) => locationsMeant(place, bundledFolder)))
  const isLeft = (place: string): boolean => former.has(place) && found.includes(place)
  return { locations: [...meant(locations.filter((place) => !isLeft(place)))], found: meant(found) }
}

const hasCards = ({ result }: ReadPart): boolean =>
  result.outcome === 'read' && result.cards.length > 0 && !areComposed(result.cards)

/** The last state of each id. */
const eachOnce = (states: readonly SourceState[]): readonly SourceState[] => [
  ...new Map(states.map((state) => [state.id, state])).values(),
]

const statesAfter = (states: readonly SourceState[], change: CatalogChange): readonly SourceState[] => {
  const after = new Map(states.map((state) => [state.id, state]))
  for (const id of change.removeSources) after.delete(id)
  for (const state of change.sources) after.set(state.id, state)
  return [...after.values()]
}

const readOf = ({ source, id, state, result }: ReadPart): ReadSource[] =>
  result.outcome === 'read' ? [{ ...result, id, state, defaultTrust: defaultTrust(source) }] : []

/** Problems of what could not be read and belongs to no source, as far as is known. */
function untold(
  opened: readonly Opened[],
  found: readonly OpenSource[],
  unreadSources: ReadonlyMap<SourceState, readonly Unread[]>,
): readonly Problem[] {
  const reported = new Set([
    ...found.flatMap(({ unread = [] }) => unread),
    ...[...unreadSources.values()].flat(),
  ])
  return opened.flatMap(({ unread }) => unread.flatMap((one) => (reported.has(one) ? [] : [one.problem])))
}

const noLongerKnown = ({ id, location }: SourceState): Problem => ({
  severity: 'warning',
  file: location,
  message: `was the source "${id}" and is no longer recognised; its old cards stay`,
  remedy: `Mend the file, or run \`audition sources remove ${id}\`.`,
})

/** Servers of the bundled catalog are ours: nobody has to agree. */
const harvestOf = ({ location }: OpenSource, { harvest }: PlanRequest): Pick<PlanRequest, 'harvest'> => ({
  harvest: harvest === 'agreed' && isBundledLocation(location) ? 'allowed' : harvest,
})

/** A server of another project is read by runs that are made there. */
const leftToItsProject: SourceRead = { outcome: 'kept', problems: [], notAsked: 'other project' }
