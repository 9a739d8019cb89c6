import type { Audition } from '../../compose/audition.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { NamedValues, UnknownValues } from '../../retrieval/index/unknown-values.ts'
import { fitText } from '../render/text-width.ts'

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
  if (closest.length > 0) return `${said}. Closest: ${closest.map(shown).join(', ')}.`
  const more = known.length > most ? ` and ${known.length - most} more` : ''
  return `${said}. There are: ${known.slice(0, most).map(shown).join(', ')}${more}.`
}

/** A name in a sentence: one that fills lines is cut. */
const shown = (name: string): string => fitText(printableLine(name), 60)
