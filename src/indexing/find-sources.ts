import { isBundledLocation, locationsMeant } from '../catalog/bundled-parts.ts'
import type { Problem } from '../catalog/ports.ts'
import { contains } from '../domain/paths.ts'
import type { CatalogChange, CatalogWriter } from '../store/catalog-writer.ts'
import { placesIn, type SourceReview } from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import { settleBundled } from '../trust/bundled/former-bundled.ts'
import { fileOf, goneSources, lostSources, unreadSources } from './gone-sources.ts'
import {
  lastRead,
  type OpenedLocation,
  type OpenSource,
  type SourceSurroundings,
  type Unread,
} from './open-source.ts'
import { openSources, unreadWhole } from './open-sources.ts'
import { isForsaken, placesAfter, whyAway } from './places-after.ts'
import { isOfOtherProject } from './server-sources.ts'
import type { ServerRequest } from './server-turn.ts'
import { fileKeeper } from './source-file.ts'
import { assignIds, distinct, unusedName } from './source-ids.ts'

/** What an index run is asked. */
export type PlanRequest = ServerRequest & {
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
  /** There are more cards than one portion holds: the names of all are read first. */
  readonly onNames?: () => void
}

/** The sources of an index run beside what the store knows of them. */
export type FoundSources = {
  /** Each once, in order. */
  readonly found: readonly OpenSource[]
  readonly ids: ReadonlyMap<OpenSource, string>
  readonly stateOf: (source: OpenSource) => SourceState | undefined
  readonly isElsewhere: (source: OpenSource) => boolean
  /** Parts of the bundled catalog that somebody named. */
  readonly named: readonly string[]
  /** The store as the run found it. */
  readonly states: readonly SourceState[]
  readonly reviews: readonly SourceReview[]
  /** States of the bundled catalog under the location that it has now, and second copies of them. */
  readonly renamed: readonly SourceState[]
  readonly copies: readonly SourceState[]
  /** Known sources that are there no more, and those of which nothing can be read. */
  readonly removed: readonly SourceState[]
  readonly unread: ReadonlyMap<SourceState, readonly Unread[]>
  /** What the store is to remember of folders. */
  readonly places: Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>>
  /** What is wrong at the locations, beside what is wrong with a source. */
  readonly problems: readonly Problem[]
  /** Servers of other projects that were never read, and are not read now. */
  readonly ofOtherProjects: number
}

/** Opens the locations, and compares what stands there with the sources of the store. */
export async function findSources(
  writer: CatalogWriter,
  surroundings: SourceSurroundings,
  request: PlanRequest,
): Promise<FoundSources> {
  const { bundledFolder } = surroundings
  const settled = await settleBundled(await writer.sources(), bundledFolder, writer)
  const { states, renamed, copies } = settled
  const { locations, found: unnamed } = placesOf(request, bundledFolder, settled.paths)
  const reviews = await writer.reviews()
  const isNamed = (location: string): boolean => !unnamed.has(location)
  const opened: OpenedLocation[] = []
  const open = sourcesOpener(surroundings, { states, reviews, isNamed })
  for (const location of locations) opened.push(await open(location, request.signal))
  const isElsewhere = elsewhere(surroundings, request.locations.filter(isNamed))
  const stateAt = new Map(states.map((state) => [state.location, state]))
  const all = distinct(
    opened.flatMap(({ sources }) => sources),
    states,
  )
  const found = all.filter((source) => stateAt.has(source.location) || !isElsewhere(source))

  const unread = await unreadSources(
    { opened, found, states },
    async (id, places) => (await lastRead(id, places, { reviews, writer })).length > 0,
  )
  const tried = states.filter((state) => !unread.has(state))
  const launches = new Map(reviews.map(({ key, server }) => [key, server?.launch]))
  const gone = goneSources({ opened, found, states: tried }, ({ id }) => launches.get(id))
  const stateOf = (source: OpenSource): SourceState | undefined =>
    stateAt.get(source.location) ?? gone.moved.get(source)
  const lost = lostSources(opened, tried, gone)
  const untold = untoldAmong(found, unread)
  return {
    found,
    stateOf,
    isElsewhere,
    states,
    reviews,
    renamed,
    copies,
    unread,
    ids: assignIds(found, { states, stateOf }, request.as),
    named: locations.filter((location) => isBundledLocation(location) && isNamed(location)),
    removed: gone.removed,
    places: placesAfter(
      opened,
      { leftOutOf: leftOut(untold, lost), isNamed: (place) => isNamed(locations[opened.indexOf(place)]!) },
      { states, reviews },
    ),
    problems: [
      ...problemsAt(opened, (at) => unnamed.has(locations[at]!)),
      ...opened.flatMap(untold).map(({ problem }) => problem),
      ...lost.map(noLongerKnown),
      ...unusedName(found, stateOf, request),
    ],
    ofOtherProjects: all.length - found.length,
  }
}

/** @param named - the locations that somebody named */
const elsewhere =
  ({ cwd, user }: SourceSurroundings, named: readonly string[]): FoundSources['isElsewhere'] =>
  ({ server }) =>
    cwd !== undefined && server !== undefined && isOfOtherProject(server, { cwd, user, named })

/** What is wrong at a place, cannot be read there, or is no source any more. */
const leftOut =
  (untold: (place: OpenedLocation) => readonly Unread[], lost: readonly SourceState[]) =>
  (place: OpenedLocation): readonly Problem[] => [
    ...place.problems,
    ...untold(place).map(({ path, problem }) => ({ ...problem, file: path })),
    ...lost
      .filter((one) => contains({ folder: place.location, path: fileOf(one.location) }))
      .map(noLongerKnown),
  ]

/** @param isUnnamed - whether nobody named a location, by its place: then it is no news that it gives nothing */
const problemsAt = (
  opened: readonly OpenedLocation[],
  isUnnamed: (at: number) => boolean,
): readonly Problem[] => [
  ...opened.flatMap(({ problems }) => problems),
  ...opened.flatMap(({ nothing }, at) => (nothing === undefined || isUnnamed(at) ? [] : [nothing])),
]

/** Opens locations, those that nobody named without the sources that a person removed there. */
function sourcesOpener(
  surroundings: SourceSurroundings,
  known: {
    readonly states: readonly SourceState[]
    readonly reviews: readonly SourceReview[]
    readonly isNamed: (location: string) => boolean
  },
): (location: string, signal: AbortSignal) => Promise<OpenedLocation> {
  const keeping = { keepFile: fileKeeper(), ...surroundings }
  const present = new Set(known.states.map(({ location }) => location))
  const places = new Map(placesIn(known.reviews).map((place) => [place.folder, place]))
  return async (location, signal) => {
    const place = known.isNamed(location) ? undefined : places.get(location)
    const why = place && whyAway(place, surroundings.label(location))
    if (why !== undefined) return unreadWhole(location, why)
    const opened = await openSources(location, keeping, signal)
    if (place === undefined) return opened
    if (isForsaken(place, known.states)) return { ...opened, unread: [] }
    const away = new Set(place.without?.filter((one) => !present.has(one)))
    return { ...opened, sources: opened.sources.filter((source) => !away.has(source.location)) }
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

/** Of what could not be read at a place that which belongs to no source, as far as is known. */
function untoldAmong(
  found: readonly OpenSource[],
  unreadSources: ReadonlyMap<SourceState, readonly Unread[]>,
): (place: OpenedLocation) => readonly Unread[] {
  const reported = new Set([
    ...found.flatMap(({ unread = [] }) => unread),
    ...[...unreadSources.values()].flat(),
  ])
  return ({ unread }) => unread.filter((one) => !reported.has(one))
}

const noLongerKnown = ({ id, location }: SourceState): Problem => ({
  severity: 'warning',
  file: location,
  message: `was the source "${id}" and is no longer recognised; its old cards stay`,
  remedy: `Mend the file, or run \`audition sources remove ${id}\`.`,
})
