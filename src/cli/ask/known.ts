import { existsSync } from 'node:fs'
import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import { noSource } from '../../catalog/no-source.ts'
import { fitText } from '../render/text.ts'
import type { Audition } from '../../compose/audition.ts'
import type { Card } from '../../domain/card.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { NamedValues, UnknownValues } from '../../retrieval/index/unknown-values.ts'
import type { SourceState } from '../../store/source-state.ts'

/**
 * Cards by id, in the order asked, each once.
 *
 * @throws Error naming the first id that is not in search: where it is held, else the closest ones that are
 */
export async function knownCards(audition: Audition, ids: readonly string[]): Promise<readonly Card[]> {
  const wanted = [...new Set(ids)]
  const cards = await audition.cards(wanted)
  const unknown = wanted.find((id) => !cards.some((card) => card.id === id))
  if (unknown !== undefined) throw new Error(await unknownId(audition, unknown))
  return cards
}

/** The card of an id. @throws Error as {@link knownCards} */
export const knownCard = async (audition: Audition, id: string): Promise<Card> =>
  (await knownCards(audition, [id]))[0]!

async function unknownId(audition: Audition, id: string): Promise<string> {
  const holder = (await audition.reviews()).find(({ held }) => held.some(({ card }) => card.id === id))
  if (holder !== undefined) {
    const source = printableLine(holder.key)
    return `"${printableLine(id)}" is held, and not in search. \`audition sources show ${source}\` says why, and how to accept it.`
  }
  const closest = await audition.closestIds(id, 3)
  const said = `no tool or agent "${shown(id, 120)}".`
  return closest.length === 0
    ? `${said} Run \`audition search "<task>"\` to find ids.`
    : `${said} Closest ids: ${closest.map((one) => shown(one, 120)).join(', ')}.`
}

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

/** @throws Error naming a server or tag that no card has, with those like it, or some that there are */
export async function requireValues(
  audition: Audition,
  { servers = [], tags = [] }: NamedValues,
): Promise<void> {
  if (servers.length === 0 && tags.length === 0) return
  const [first] = await audition.unknownValues({ servers, tags })
  if (first !== undefined) throw new Error(unknownValue(first))
}

const singular = { servers: 'server', tags: 'tag' } as const
/** Names told when none is like the unknown one. */
const most = 8

function unknownValue({ filter, unknown: [value = ''], known }: UnknownValues): string {
  const said = `no ${singular[filter]} "${shown(value)}"`
  if (known.length === 0) return `${said}: no card has any.`
  const closest = closestIds(known, value, 3)
  if (closest.length > 0) return `${said}. Closest: ${closest.map((name) => shown(name)).join(', ')}.`
  const more = known.length > most ? ` and ${known.length - most} more` : ''
  return `${said}. There are: ${known
    .slice(0, most)
    .map((name) => shown(name))
    .join(', ')}${more}.`
}

/** A name in a sentence: one that fills lines is cut. */
const shown = (name: string, columns = 60): string => fitText(printableLine(name), columns)

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
