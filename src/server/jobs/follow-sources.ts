import type { Audition } from '../../compose/audition.ts'
import { isListingDue } from '../../indexing/server-turn.ts'
import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import { knownLocations, placeOf } from '../../indexing/places-after.ts'
import { namedFolders } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { looksOf } from '../../indexing/watching/place-contents.ts'
import { watchPlaces } from '../../indexing/watching/watch-places.ts'
import { errorText } from '../../domain/remedy-error.ts'

/** Between two attempts at a server that cannot be started from here, in milliseconds. */
const retryMs = 60 * 60 * 1000

/** What keeps the index current while Audition serves. */
export type Keeping = { close(): Promise<void> }

export type FollowOptions = {
  /** Between two looks at which sources there are, and which servers are due. @defaultValue 60000 */
  readonly everyMs?: number
  /** Says something to a person. */
  readonly tell?: (line: string) => void
}

/**
 * Takes in what changes in the files and folders that were indexed, and asks MCP servers again whose listing is old, those alone that
 * were started by the same entry before. It works beside the searches, which see the index of before or the new one. What fails is told
 * once, and tried again when there is reason to.
 */
export function followSources(app: Audition, options: FollowOptions = {}): Keeping {
  const { everyMs = 60_000, tell = (line) => console.error(`audition: ${line}`) } = options
  const stop = new AbortController()
  const { signal } = stop
  const reported = new Set<string>()
  /** Places that lost their last card here: what is put there again comes back, as it does not where a person forgot the source. */
  const emptied = new Set<string>()
  const tellOnce = (line: string): void => {
    if (!reported.has(line) && !signal.aborted) tell(line)
    reported.add(line)
  }
  const queue = taskQueue(signal, (error) =>
    tellOnce(`the index is not brought up to date: ${errorText(error)}`),
  )
  const askDue = dueAsker(app, tellOnce, signal)
  const readAgain = (locations: readonly string[]) =>
    queue(async () => {
      const before = await followed()
      await app.index({ locations, found: locations, harvest: 'unwanted', signal })
      const now = await followed()
      for (const place of before) if (locations.includes(place) && !now.includes(place)) emptied.add(place)
      await follow(now)
    })

  const places = watchPlaces({
    onChange: readAgain,
    linksTo: () => app.followedLinks(),
    onFault: (place, reason) =>
      tellOnce(`${place} is not watched, but looked at from time to time: ${reason}`),
  })
  const followed = followedIn(app)
  const follow = (locations: readonly string[]): Promise<void> => places.follow([...locations, ...emptied])

  const begin = async (): Promise<void> => {
    await follow(await followed())
    places.touch(await changedSince(app, signal))
  }
  const beat = async (): Promise<void> => {
    await follow(await followed())
    await askDue(await app.sources())
  }
  void queue(begin).then(() => queue(beat))
  const timer = setInterval(() => void queue(beat), everyMs).unref()

  return {
    async close() {
      stop.abort()
      clearInterval(timer)
      places.close()
      await queue(async () => {})
    },
  }
}

/** Does one thing after the other until the signal; a fault ends that one alone. */
function taskQueue(signal: AbortSignal, onFault: (error: unknown) => void) {
  let work: Promise<void> = Promise.resolve()
  return (task: () => Promise<void>): Promise<void> => {
    work = work.then(async () => {
      if (!signal.aborted) await task().catch(onFault)
    })
    return work
  }
}

/** Asks the servers again whose listing is old, and which were not asked from here a short while ago. */
function dueAsker(app: Audition, tellOnce: (line: string) => void, signal: AbortSignal) {
  /** When each server was last asked from here. */
  const tried = new Map<string, number>()
  return async (sources: readonly SourceState[]): Promise<void> => {
    const now = new Date()
    const isRested = ({ location }: SourceState): boolean =>
      now.getTime() - (tried.get(location) ?? -retryMs) >= retryMs
    const due = sources
      .filter(
        (source) => isListingDue(source, now) && isRested(source) && !isBundledLocation(source.location),
      )
      .map(({ location }) => location)
    if (due.length === 0) return
    for (const location of due) tried.set(location, now.getTime())
    const asked = { locations: due, found: due, harvest: 'agreed', isBackground: true, signal } as const
    for (const { source, location, notAsked } of (await app.index(asked)).sources)
      if (notAsked === 'launch changed')
        tellOnce(
          `"${source}" is not asked for its tools: its launch changed since you agreed to it. \`audition index ${location}\` shows how, and asks`,
        )
  }
}

/** Sources of local files, which are read without starting anything. */
const isOfFiles = ({ location, reader, isLocationGuessed }: SourceState): boolean =>
  reader !== 'mcp-server' &&
  isLocationGuessed !== true &&
  !/^https?:/i.test(location) &&
  !isBundledLocation(location)

/** Gives the files and folders that are watched. Each is looked at, so they are found anew only when the store says something else. */
function followedIn(app: Audition): () => Promise<readonly string[]> {
  let last: { readonly sources: unknown; readonly found: readonly string[] } | null = null
  return async () => {
    const sources = await app.sources()
    if (last?.sources !== sources)
      last = { sources, found: knownLocations(sources.filter(isOfFiles), await app.places()) }
    return last.found
  }
}

/** Files and folders that changed after they were last read: nobody watched them then. */
async function changedSince(app: Audition, signal: AbortSignal): Promise<readonly string[]> {
  const linksTo = await app.followedLinks()
  const places = await app.places()
  const changed = new Set<string>()
  const folders = new Map(namedFolders(places).map((folder) => [folder, 0]))
  for (const { location, indexedAt } of (await app.sources()).filter(isOfFiles)) {
    const [file, place] = [placeOf(location, []), placeOf(location, places)]
    const read = Date.parse(indexedAt ?? '')
    const before = folders.get(place)
    if (before !== undefined) folders.set(place, Math.max(before, read || 0))
    if ((await looksOf(file, signal, linksTo)).newestMs > read) changed.add(place)
  }
  for (const [place, read] of folders)
    if (!changed.has(place) && (await looksOf(place, signal, linksTo)).newestMs > read) changed.add(place)
  return [...changed]
}
