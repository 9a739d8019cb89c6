import type { Card, CardKind } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Plan } from '../../probing/run/probing.ts'
import type { ScoredCard } from '../../retrieval/answer.ts'
import type { Context } from '../context.ts'
import { cannotRunLine } from '../render/permit-lines.ts'

/** How much deeper a search looks for candidates that can be run. */
const reach = 4

type Wanted = { readonly job: string; readonly kind: CardKind; readonly most: number }

/**
 * The best matches that can be run, or could be with leave. Search folds near-copies: here one takes the place of an original that
 * cannot run, and those that can run as well come in where places are free. Who is left out is told.
 *
 * @throws RemedyError when nobody is left
 */
export async function candidatesFor(
  { job, kind, most }: Wanted,
  plan: (cards: readonly Card[]) => Promise<readonly Plan[]>,
  context: Context,
): Promise<readonly Plan[]> {
  const asked = { kind, query: job, k: Math.min(100, reach * most), enough: false } as const
  const { candidates } = await (await context.audition()).search(asked, context.signal)
  const groups = await plannedGroups(candidates, plan, context)
  const able = groups.flatMap((group) => leadOf(group) ?? [])
  const copies = groups.flatMap((group) => group.filter((one) => isAble(one) && one !== leadOf(group)))
  const taken = [...able, ...copies].slice(0, most)
  if (taken.length > 0) {
    tellLeftOut(groups, taken, context)
    return taken
  }
  if (groups.flat().some(({ notRun }) => notRun?.kind === 'arguments'))
    throw new RemedyError('The tasks have no "arguments" to call the tools with that were found.', writeThem)
  throw new RemedyError(
    'Nothing that can be run was found for the job.',
    'Index something (`audition index`), or say the job in other words.',
  )
}

export const writeThem = 'Write them into the file, for example "arguments": {"city": "Oslo"}.'

/** A card that search found and its near-copies. */
type Group = readonly Plan[]

async function plannedGroups(
  found: readonly ScoredCard[],
  plan: (cards: readonly Card[]) => Promise<readonly Plan[]>,
  context: Context,
): Promise<readonly Group[]> {
  const ids = found.flatMap(({ signals }) => signals.duplicates)
  const copies = ids.length === 0 ? [] : await (await context.audition()).cards(ids)
  const copyOf = new Map(copies.map((card) => [card.id, card]))
  const groups = found.map(({ card, signals }) => [
    card,
    ...signals.duplicates.flatMap((id) => copyOf.get(id) ?? []),
  ])
  const plans = [...(await plan(groups.flat()))]
  return groups.map(({ length }) => plans.splice(0, length))
}

const isAble = ({ notRun }: Plan): boolean => notRun === null || notRun.kind === 'permission'

/** Who competes for a group: the first that can run, else the first that leave would let run. */
const leadOf = (group: Group): Plan | undefined =>
  group.find(({ notRun }) => notRun === null) ?? group.find(isAble)

function tellLeftOut(groups: readonly Group[], taken: readonly Plan[], context: Context): void {
  const last = groups.findLastIndex((group) => group.some((one) => taken.includes(one)))
  for (const group of groups.slice(0, last + 1)) {
    const lead = leadOf(group)
    const leader = printableLine(lead?.card.id ?? '')
    for (const one of group.filter((each) => !taken.includes(each))) {
      const { notRun } = one
      const id = printableLine(one.card.id)
      if (notRun !== null && notRun.kind !== 'permission')
        context.log(`Not a candidate: ${id}: ${cannotRunLine(notRun)}`)
      else if (one !== lead)
        context.log(
          `Not a candidate: ${id}, a near-copy of ${leader}: the places are taken. Name both in --candidates to compare them.`,
        )
    }
    if (lead !== undefined && lead !== group[0] && taken.includes(lead) && !taken.includes(group[0]!))
      context.log(`In its place: ${leader}, a near-copy.`)
  }
}
