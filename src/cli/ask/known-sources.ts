import type { Audition } from '../../compose/audition.ts'
import { noSource } from '../../catalog/no-source.ts'
import type { SourceState } from '../../store/source-state.ts'

/** The source of an id. @throws Error naming an id that no source has, with those like it */
export function knownSource(sources: readonly SourceState[], id: string): SourceState {
  const source = sources.find((one) => one.id === id)
  if (source !== undefined) return source
  throw noSource(id, sources)
}

/** @throws Error as {@link knownSource}; not for an empty store, of which whoever reads it has more to say */
export async function requireSources(audition: Audition, ids: readonly string[]): Promise<void> {
  const sources = ids.length === 0 ? [] : await audition.sources()
  if (sources.length > 0) for (const id of ids) knownSource(sources, id)
}
