import { existsSync } from 'node:fs'
import { isBundledLocation } from '../catalog/bundled-parts.ts'
import type { SourceState } from '../store/source-state.ts'

/**
 * The files, folders and URLs that the user's sources in the store were read from. The location of an MCP server is
 * `config#server`; its configuration is what gets read again.
 */
export const knownLocations = (sources: readonly SourceState[]): readonly string[] => [
  ...new Set(sources.flatMap(({ location }) => (isBundledLocation(location) ? [] : [readable(location)]))),
]

function readable(location: string): string {
  const hash = location.lastIndexOf('#')
  const isServer = hash > 0 && !/^https?:/iu.test(location) && !existsSync(location)
  return isServer ? location.slice(0, hash) : location
}
