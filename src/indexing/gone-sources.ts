import { existsSync, statSync } from 'node:fs'
import { contentHash, sourceIdOf } from '../catalog/identity.ts'
import { readers } from '../catalog/readers.ts'
import type { Card } from '../domain/card.ts'
import { contains, realPath } from '../domain/paths.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import type { SourceState } from '../store/source-state.ts'
import { isUnread, type OpenedLocation, type OpenSource, type Unread } from './open-source.ts'
import type { ReadPart } from './read-source.ts'

/** Known sources that a run found to be there no more. */
type GoneSources = {
  /** To be forgotten with their cards. */
  readonly removed: readonly SourceState[]
  /**
   * Servers that moved to another configuration, or got another name there, files that are read by another path now, and
   * sources whose location was lost in a damaged store: they keep their id, cards and pins.
   */
  readonly moved: ReadonlyMap<OpenSource, SourceState>
}

/** What was opened, the sources that are read of it, each once, and the known ones. */
type KnownAndFound = {
  readonly opened: readonly OpenedLocation[]
  readonly found: readonly OpenSource[]
  readonly states: readonly SourceState[]
}

/**
 * A source is gone when its configuration was read whole and names it no more, when it lay in a folder that was walked
 * and its file is not there, when a walked folder holds no card any more, or when its configuration was read and
 * another source stands for it: the same server, configured twice. A location that merely could not be read says
 * nothing of its sources.
 *
 * @param places.states - without those that could not be read
 * @param launchOf - how the server of a known source was started when its cards were taken
 */
export function goneSources(
  { opened, found, states }: KnownAndFound,
  launchOf: (state: SourceState) => string | undefined,
): GoneSources {
  const configs = new Set(opened.flatMap((location) => location.configs))
  const walked = opened.flatMap((location) => location.walked)
  const known = new Set(states.map(({ location }) => location))
  const present = new Set(found.map(({ location }) => location))
  const gone = states.filter(({ location }) => {
    if (present.has(location)) return false
    const file = fileOf(location)
    return (
      (file !== location && configs.has(file)) ||
      walked.some((folder) => file === folder || (contains({ folder, path: file }) && isMissing(file)))
    )
  })
  const walkedFiles = filesOfWalked(states, walked, present)
  const moved = new Map<OpenSource, SourceState>()
  for (const source of found) {
    if (known.has(source.location)) continue
    const isFree = (state: SourceState): boolean => !isAmong(state, moved.values())
    const free = gone.filter(isFree)
    const former =
      walkedFiles.get(realLocation(source.location)) ??
      (source.isLive
        ? (free.find((state) => serverOf(state.location) === serverOf(source.location)) ??
          free.find((state) => source.launch !== undefined && launchOf(state) === source.launch))
        : states.find((state) => isFree(state) && isLostOf(state, source)))
    if (former) moved.set(source, former)
  }
  return { removed: gone.filter((state) => !isAmong(state, moved.values())), moved }
}

/** Sources in walked folders that were not found under their location, by the file that it leads to. */
const filesOfWalked = (
  states: readonly SourceState[],
  walked: readonly string[],
  present: ReadonlySet<string>,
): ReadonlyMap<string, SourceState> =>
  new Map(
    states
      .filter(({ location }) => !present.has(location))
      .filter(({ location }) => walked.some((folder) => contains({ folder, path: location })))
      .map((state) => [realLocation(state.location), state]),
  )

const realLocation = (location: string): string => realPath(fileOf(location)) + serverOf(location)

/** Sources in a walked folder whose file is there and is no longer recognised: their old cards stay, and may be wrong. */
export function lostSources(
  opened: readonly OpenedLocation[],
  states: readonly SourceState[],
  gone: GoneSources,
): readonly SourceState[] {
  const walked = opened.flatMap((location) => location.walked)
  const seen = new Set(opened.flatMap(({ sources }) => sources.map(({ location }) => location)))
  const configs = new Set(opened.flatMap((location) => location.configs))
  const moved = [...gone.moved.values()]
  return states.filter((state) => {
    const file = fileOf(state.location)
    const isRead = seen.has(state.location) || configs.has(file)
    return (
      !isRead &&
      !isCardFile(state) &&
      !gone.removed.includes(state) &&
      !moved.includes(state) &&
      walked.some((folder) => contains({ folder, path: file })) &&
      statSync(file, { throwIfNoEntry: false })?.isFile() === true
    )
  })
}

/** A file of one card, read by itself before: the folder's source reads it now, and it is a source of its own still. */
const isCardFile = ({ reader }: SourceState): boolean =>
  readers.find(({ name }) => name === reader)?.grain === 'card'

/** The file of `config#server`, unless a file of that very name exists. */
export const fileOf = (location: string): string =>
  location.includes('#') && !existsSync(location) ? location.slice(0, location.lastIndexOf('#')) : location

const serverOf = (location: string): string => location.slice(fileOf(location).length)

/** Surely not there: a folder that may not be entered says nothing. */
export function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Whether a source's name and place are those of one whose location had to be guessed from its cards. */
const isLostOf = ({ id, location, isLocationGuessed }: SourceState, source: OpenSource): boolean =>
  isLocationGuessed === true &&
  id === sourceIdOf(source.wantedId) &&
  (location === source.location || contains({ folder: source.location, path: location }))

const isAmong = (state: SourceState, states: Iterable<SourceState>): boolean => [...states].includes(state)

/**
 * Known sources of which nothing could be read: their file, or a folder above it, or in their folder all that their
 * cards came from. They keep their cards.
 *
 * @param places - what was opened, what is read of it, and what is known
 * @param hasCardsFrom - whether cards of a source came from such places
 * @returns what could not be read of each, never empty
 */
export async function unreadSources(
  { opened, found, states }: KnownAndFound,
  hasCardsFrom: (source: string, places: readonly Unread[]) => Promise<boolean>,
): Promise<ReadonlyMap<SourceState, readonly Unread[]>> {
  const present = new Set(found.map(({ location }) => location))
  const all = opened.flatMap(({ unread }) => unread)
  const sources = new Map<SourceState, readonly Unread[]>()
  for (const state of states) {
    if (present.has(state.location)) continue
    const file = fileOf(state.location)
    const above = all.filter((one) => isUnread(file, one))
    const within = opened.flatMap(({ location, unread }) => (location === state.location ? unread : []))
    if (above.length > 0) sources.set(state, above)
    else if (within.length > 0 && (await hasCardsFrom(state.id, within))) sources.set(state, within)
  }
  return sources
}

/** Sources that a run read first and that hold, card by card, just what a known source holds: by id, that source. */
export async function movedSources(
  parts: readonly ReadPart[],
  states: readonly SourceState[],
  writer: Pick<CatalogWriter, 'hashes'>,
): Promise<ReadonlyMap<string, SourceState>> {
  const moved = new Map<string, SourceState>()
  const samples = new Map<string, readonly [id: string, hash: string] | undefined>()
  const sampleOf = async (id: string) => {
    if (!samples.has(id)) samples.set(id, [...(await writer.hashes(id))][0])
    return samples.get(id)
  }
  for (const { id, source, state, result } of parts) {
    if (state !== undefined || result.outcome !== 'read' || result.cards.length === 0) continue
    const { cards } = result
    const byId = new Map(cards.map((card) => [card.id.slice(id.length), card]))
    for (const other of states) {
      if (other.reader !== source.reader || other.tools + other.agents !== cards.length) continue
      // One card of it tells most sources apart, and is read once.
      const [sample, hash] = (await sampleOf(other.id)) ?? ['']
      const alike = byId.get(sample.slice(other.id.length))
      if (alike === undefined || contentHash(asOf(alike, other.id)) !== hash) continue
      const hashes = await writer.hashes(other.id)
      if (!cards.every((card) => isIn(hashes, asOf(card, other.id)))) continue
      moved.set(id, other)
      break
    }
  }
  return moved
}

const isIn = (hashes: ReadonlyMap<string, string>, card: Card): boolean =>
  hashes.get(card.id) === contentHash(card)

const asOf = (card: Card, source: string): Card => ({
  ...card,
  id: `${source}${card.id.slice(card.source.length)}`,
  source,
})
