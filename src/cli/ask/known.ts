import { namesInLine } from '../../domain/text/names-in-line.ts'
import { noSource } from '../../catalog/no-source.ts'
import { fitText } from '../render/text.ts'
import type { Audition } from '../../compose/audition.ts'
import {
  cardsNamed,
  singularOf,
  type UnknownCard,
  type UnknownNames,
  unknownNames,
} from '../../compose/known-names.ts'
import type { Card } from '../../domain/card.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { SourceState } from '../../store/source-state.ts'
import { RemedyError } from '../../domain/remedy-error.ts'

/**
 * Cards by id, in the order asked, each once.
 *
 * @throws RemedyError naming the first id that is not in search: why it is held, how it comes back, else the closest ones that are
 */
export async function knownCards(audition: Audition, ids: readonly string[]): Promise<readonly Card[]> {
  const { cards, unknown } = await cardsNamed(audition, ids)
  if (unknown[0] !== undefined) throw unknownId(unknown[0])
  return cards
}

/** The card of an id. @throws RemedyError as {@link knownCards} */
export const knownCard = async (audition: Audition, id: string): Promise<Card> =>
  (await knownCards(audition, [id]))[0]!

function unknownId({ id, held, closest, bringBack }: UnknownCard): RemedyError {
  if (held !== undefined) {
    const remedy = `\`audition sources show ${printableLine(held.source)}\` says why, and how to accept it.`
    return new RemedyError(`"${printableLine(id)}" is held, and not in search.`, remedy)
  }
  const others =
    closest.length === 0
      ? 'Run `audition search "<task>"` to find ids.'
      : `Closest ids: ${closest.map((one) => shown(one, 120)).join(', ')}.`
  return new RemedyError(`no tool or agent "${shown(id, 120)}".`, bringBack ?? others)
}

/** The source of an id. @throws Error naming an id that no source has, with those like it */
export function knownSource(sources: readonly SourceState[], id: string): SourceState {
  const source = sources.find((one) => one.id === id)
  if (source !== undefined) return source
  throw noSource(id, sources)
}

/** @throws Error naming a source, server or tag that there is not, with those like it, or some that there are */
export async function requireNames(
  audition: Audition,
  names: Parameters<typeof unknownNames>[1],
): Promise<void> {
  const first = await unknownNames(audition, names)
  if (first === undefined) return
  const { field, unknown, known } = first
  if (field === 'sources')
    throw noSource(
      unknown[0]!,
      known.map((id) => ({ id })),
    )
  throw new Error(unknownValue(first))
}

/** Names told when none is like the unknown one. */
const most = 8

function unknownValue({ field, unknown: [value = ''], known }: UnknownNames): string {
  const said = `no ${singularOf[field]} "${shown(value)}"`
  if (known.length === 0) return `${said}: no card has any.`
  const closest = closestIds(known, value, 3)
  if (closest.length > 0) return `${said}. Closest: ${closest.map((name) => shown(name)).join(', ')}.`
  const names = known.map((name) => shown(name))
  return `${said}. There are: ${namesInLine(names, most)}.`
}

/** A name in a sentence: one that fills lines is cut. */
const shown = (name: string, columns = 60): string => fitText(printableLine(name), columns)
