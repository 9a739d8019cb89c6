import { sourceIdOf } from '../catalog/identity.ts'
import type { Problem } from '../catalog/ports.ts'
import type { SourceState } from '../store/source-state.ts'
import type { OpenSource } from './open-source.ts'

/**
 * The same source named twice (by two locations, or a server that two hosts configure alike) is read once: where it was
 * read before, else where it comes first.
 */
export function distinct(
  sources: readonly OpenSource[],
  states: readonly SourceState[],
): readonly OpenSource[] {
  const known = new Set(states.map(({ location }) => location))
  const chosen = new Map<string, OpenSource>()
  for (const source of sources) {
    const other = chosen.get(source.identity)
    if (other === undefined || (known.has(source.location) && !known.has(other.location))) {
      chosen.set(source.identity, source)
    }
  }
  return [...chosen.values()]
}

/** A known source keeps its id; a new one gets the name it wants, or the next free `name~2`. */
export function assignIds(
  found: readonly OpenSource[],
  known: {
    readonly states: readonly SourceState[]
    readonly stateOf: (source: OpenSource) => SourceState | undefined
  },
  as: string | undefined,
): ReadonlyMap<OpenSource, string> {
  const { states, stateOf } = known
  const taken = new Set(states.map(({ id }) => id))
  const ids = new Map<OpenSource, string>()
  for (const source of found) {
    const state = stateOf(source)
    if (state) {
      ids.set(source, state.id)
      continue
    }
    const wanted = sourceIdOf(as !== undefined && found.length === 1 ? as : source.wantedId)
    let id = wanted
    for (let copy = 2; taken.has(id); copy++) id = `${wanted}~${copy}`
    taken.add(id)
    ids.set(source, id)
  }
  return ids
}

/** Says when a name that was asked for was not given. */
export function unusedName(
  found: readonly OpenSource[],
  stateOf: (source: OpenSource) => SourceState | undefined,
  { as, locations }: { readonly as?: string; readonly locations: readonly string[] },
): readonly Problem[] {
  const [source] = found
  if (as === undefined || source === undefined) return []
  const base = { severity: 'warning', file: locations.join(', ') } as const
  if (found.length > 1) {
    const message = `holds ${found.length} sources, and "${as}" can name one only; each has its own name`
    return [{ ...base, message, remedy: 'Index one file or server at a time to name it.' }]
  }
  const id = stateOf(source)?.id
  if (id === undefined || id === sourceIdOf(as)) return []
  const message = `is known as "${id}" and keeps that name`
  return [{ ...base, message, remedy: `Run \`audition sources remove ${id}\` first to name it "${as}".` }]
}
