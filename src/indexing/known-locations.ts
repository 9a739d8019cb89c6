import { existsSync } from 'node:fs'
import { isBundledLocation } from '../catalog/bundled-parts.ts'
import { contains, realPath } from '../domain/paths.ts'
import { namedFolders } from '../store/known-places.ts'
import type { KnownPlace } from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import { isWalked } from './walk-folder.ts'

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
