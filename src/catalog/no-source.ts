import { closestIds } from '../domain/text/closest-ids.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { printableLine } from '../domain/text/printable.ts'

/** No source has an id, and which ones are alike. */
export function noSource(id: string, sources: readonly { readonly id: string }[]): RemedyError {
  const closest = closestIds(
    sources.map((source) => source.id),
    id,
    3,
  )
  const advice =
    closest.length === 0
      ? 'Run `audition sources` for their ids.'
      : `Closest ids: ${closest.map(printableLine).join(', ')}.`
  return new RemedyError(`no source "${printableLine(id)}".`, advice)
}
