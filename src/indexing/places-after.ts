import { readdirSync, statSync, existsSync } from 'node:fs'
import { isBundledLocation } from '../catalog/bundled-parts.ts'
import type { Problem } from '../catalog/ports.ts'
import { contains, isFolder, realPath } from '../domain/paths.ts'
import type { CatalogChange } from '../store/catalog-writer.ts'
import {
  type KnownPlace,
  type SourceReview,
  placesIn,
  reviewOfPlace,
  namedFolders,
} from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import { isMissing } from './gone-sources.ts'
import type { OpenedLocation } from './open-source.ts'
import { remembered } from './plan-source.ts'
import { isWalked } from './walk-folder.ts'

/** Whether nothing is left of a folder: it is not there, and no source of it is known. One with sources may be on a disk that is away. */
export const isForsaken = ({ folder }: KnownPlace, states: readonly SourceState[]): boolean =>
  isMissing(folder) && !states.some(({ location }) => contains({ folder, path: location }))

/** Why a folder that a person named is not taken as emptied: where a disk is away, an empty folder may stand there. */
export function whyAway({ folder, inode }: KnownPlace, label: string): Problem | undefined {
  if (inode === undefined || inodeOf(folder) === inode || !isEmpty(folder)) return undefined
  return {
    severity: 'error',
    file: label,
    message: 'is empty, and is not the folder that was read before: its disk may be away',
    remedy: `Mount it, or run \`audition index ${folder}\` to take it as it is.`,
  }
}

const inodeOf = (folder: string): string | undefined =>
  statSync(folder, { throwIfNoEntry: false })?.ino.toString()

const isEmpty = (folder: string): boolean => isFolder(folder) && readdirSync(folder).length === 0

const namedNow = (folder: string): Pick<KnownPlace, 'isNamed' | 'inode'> => {
  const inode = inodeOf(folder)
  return { isNamed: true, ...(inode === undefined ? {} : { inode }) }
}

/** What the store is to remember of the folders of a run, and to forget: nothing where all is as it was. */
export function placesAfter(
  opened: readonly OpenedLocation[],
  {
    leftOutOf,
    isNamed,
  }: {
    readonly leftOutOf: (place: OpenedLocation) => readonly Problem[]
    readonly isNamed: (place: OpenedLocation) => boolean
  },
  { states, reviews }: { readonly states: readonly SourceState[]; readonly reviews: readonly SourceReview[] },
): Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>> {
  const known = new Map(placesIn(reviews).map((place) => [place.folder, place]))
  const change = { reviews: [] as SourceReview[], removeReviews: [] as string[] }
  for (const place of opened) {
    const { location: folder, walked, nothing } = place
    const before = known.get(folder)
    const isLeft = before !== undefined && isForsaken(before, states)
    if ((walked.length === 0 && !isLeft) || isBundledLocation(folder)) continue
    const isNamedNow = isNamed(place)
    const without = isNamedNow ? [] : (before?.without ?? [])
    const isKnownByName = before?.isNamed === true || (isNamedNow && nothing === undefined)
    const review = reviewOfPlace({
      folder,
      ...(isKnownByName ? namedNow(folder) : {}),
      ...(without.length === 0 ? {} : { without }),
      problems: remembered(leftOutOf(place), folder),
    })
    if (isLeft || (!isKnownByName && review.place?.problems.length === 0)) {
      if (before !== undefined) change.removeReviews.push(review.key)
    } else if (JSON.stringify(review.place) !== JSON.stringify(before)) change.reviews.push(review)
  }
  return change
}

/**
 * The folders that a person named, and the files, folders and URLs elsewhere that the user's sources in the store were read from. The
 * location of an MCP server is `config#server`; its configuration is what gets read again.
 */
export function knownLocations(
  sources: readonly SourceState[],
  places: readonly KnownPlace[] = [],
): readonly string[] {
  const own = sources.filter(({ location }) => !isBundledLocation(location))
  return [...new Set([...namedFolders(places), ...own.map(({ location }) => placeOf(location, places))])]
}

/** What is read to read a source again: the folder that a person named and that its file lies in, else the file. */
export function placeOf(location: string, places: readonly KnownPlace[]): string {
  const path = readable(location)
  return namedFolders(places).find((folder) => isWalked({ folder, path }) && !leadsOut(folder, path)) ?? path
}

const leadsOut = (folder: string, path: string): boolean => {
  const real = realPath(path)
  return real !== path && !contains({ folder: realPath(folder), path: real })
}

function readable(location: string): string {
  const hash = location.lastIndexOf('#')
  const isServer = hash > 0 && !/^https?:/iu.test(location) && !existsSync(location)
  return isServer ? location.slice(0, hash) : location
}
