import { existsSync, readdirSync } from 'node:fs'
import { readHostServers } from '../../catalog/readers/host-config.ts'
import { fileStem } from '../../catalog/path-names.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import type { SourceState } from '../../store/source-state.ts'
import { openDocument } from '../../catalog/source-document.ts'
import {
  type BundledPart,
  isBundledLocation,
  isCatalog,
  partShapeOf,
  pathAndServer,
  pathOfPart,
} from '../../catalog/bundled-parts.ts'

/** The known sources, each part of the bundled catalog once and under the location it has now. */
type SettledStates = {
  readonly states: readonly SourceState[]
  /** Those of them whose location was a path. */
  readonly renamed: readonly SourceState[]
  /** Second copies of a part, which another path had. */
  readonly copies: readonly SourceState[]
  /** The paths that both were read from: what lies there, or no longer does, is nobody's source. */
  readonly paths: ReadonlySet<string>
}

/**
 * An older Audition knew its catalog by the path it lay at, so that every installation had one: `catalog-profiles~2`. Of the
 * copies of a part the one that was first stays, by its shortest id.
 *
 * @param folder - the bundled catalog of this installation; without one nothing is changed
 */
export async function settleBundled(
  known: readonly SourceState[],
  folder: string | undefined,
  writer: Pick<CatalogWriter, 'hashes'>,
): Promise<SettledStates> {
  const located = await Promise.all(
    known.map(async (state) => ({ state, location: await bundledLocationOf(state, folder, writer) })),
  )
  const firsts = new Map<string, SourceState>()
  const byAge = located.toSorted(
    (a, b) => a.state.id.length - b.state.id.length || (a.state.id < b.state.id ? -1 : 1),
  )
  for (const { state, location } of byAge) {
    if (location !== undefined && !firsts.has(location)) firsts.set(location, { ...state, location })
  }
  const settled = located.map(({ state, location }) => {
    const first = location === undefined ? state : firsts.get(location)!
    return { state: first, isCopy: first.id !== state.id, isRenamed: first.location !== state.location }
  })
  return {
    states: settled.flatMap(({ state, isCopy }) => (isCopy ? [] : [state])),
    renamed: settled.flatMap(({ state, isCopy, isRenamed }) => (isRenamed && !isCopy ? [state] : [])),
    copies: located.flatMap(({ state }, at) => (settled[at]!.isCopy ? [state] : [])),
    paths: new Set(
      located.flatMap(({ state, location }) =>
        location === undefined || location === state.location ? [] : [pathAndServer(state.location).path],
      ),
    ),
  }
}

/** The location a source of the bundled catalog has now; undefined for a source of the user's. */
export async function bundledLocationOf(
  { id, location }: SourceState,
  folder: string | undefined,
  writer: Pick<CatalogWriter, 'hashes'>,
): Promise<string | undefined> {
  if (isBundledLocation(location)) return location
  if (folder === undefined) return undefined
  const { path, server } = pathAndServer(location)
  const shape = partShapeOf(path)
  if (shape === undefined || (shape.part === 'bundled:servers') !== (server !== undefined)) return undefined
  const now = server === undefined ? shape.part : `${shape.part}#${server}`
  if (isCatalog(shape.catalog, folder)) return now
  if (existsSync(path)) return undefined
  // Nothing lies there any more. A folder of the user's may have had such a name: what came from it tells.
  const ours = namesOf(shape.part, folder)
  if (server !== undefined) return ours.has(server) ? now : undefined
  const keys = [...(await writer.hashes(id)).keys()].map((card) => card.slice(id.length + 1))
  return keys.filter((key) => ours.has(key)).length * 2 > keys.length ? now : undefined
}

/** Names of the cards or servers of a part. */
function namesOf(part: BundledPart, folder: string): ReadonlySet<string> {
  const path = pathOfPart(part, folder)
  if (!existsSync(path)) return new Set()
  if (part !== 'bundled:servers') return new Set(readdirSync(path).map(fileStem))
  return new Set(readHostServers(openDocument(path), undefined).servers.map(({ name }) => name))
}
