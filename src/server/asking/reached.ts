import type { Audition } from '../../compose/audition.ts'
import { lineToAdd } from '../../catalog/hiring.ts'
import { runtimes } from '../../compose/runtimes.ts'
import type { AgentCard, Card } from '../../domain/card.ts'
import { hereFor, sourceIsHere } from '../../hosts/reach.ts'
import type { ScoredCard, SearchAnswer } from '../../retrieval/answer.ts'
import { oneLine } from '../text.ts'
import { Mistake } from '../mistakes.ts'
import type { Asking } from './asker.ts'

/** How a candidate is reached: by the exact name or call, or in a word why not so. */
export type Reach = { readonly call: string } | { readonly reach: 'through audition' | 'not here' }

/** A candidate, and how it is reached from where it was asked for; absent where nobody can tell. */
export type Reached = ScoredCard & { readonly reach?: Reach }

/** What a search found, told for one asker. */
export type ReachedAnswer = Omit<SearchAnswer, 'candidates'> & {
  readonly candidates: readonly Reached[]
  /** What to do with the candidates, where that is known. */
  readonly next?: string
  /** What to do besides, where nothing surely fits. */
  readonly offer?: string
}

/** From this share of the score of the one before it on, a candidate that is here goes first. */
const nearlyEqual = 0.9

/** How cards are reached by one asker; `never` for agents that its host cannot run at all. */
export function reachFor({ asker, calls }: Asking): (card: Card) => Reach | 'never' | undefined {
  const here = asker === null ? () => undefined : hereFor(asker)
  return (card) => {
    const found = here(card)
    if (found?.kind === 'here') return { call: oneLine(found.call, 300) }
    if (calls && runtimes.some(({ accepts }) => accepts(card))) return { reach: 'through audition' }
    return found === undefined || found.kind === 'never' ? found && 'never' : { reach: 'not here' }
  }
}

/** Tells of every candidate how it is reached; of near-equals those that are here come first. */
export async function reachedAnswer(
  app: Pick<Audition, 'cards' | 'serverHeld'>,
  found: SearchAnswer,
  asking: Asking,
): Promise<ReachedAnswer> {
  if (asking.asker === null && !asking.calls) return found
  const reachOf = reachFor(asking)
  const withReach = await Promise.all(
    found.candidates.map(async (candidate): Promise<Reached> => {
      const reach = reachOf(candidate.card)
      if (isUsable(reach)) return { ...candidate, reach }
      const twin = await twinHere(app, candidate, reachOf)
      return twin ?? (reach === undefined ? candidate : { ...candidate, reach: { reach: 'not here' } })
    }),
  )
  const candidates = usableFirst(withReach)
  const absent = candidates.find(({ reach }) => reach !== undefined && !isUsable(reach))
  const isHeld = absent !== undefined && (await app.serverHeld(absent.card)) !== null
  return { ...found, candidates, ...nextOf(candidates, asking, isHeld) }
}

const isUsable = (reach: Reach | 'never' | undefined): reach is Reach =>
  typeof reach === 'object' && !('reach' in reach && reach.reach === 'not here')

/** A near-identical card that was folded into the candidate and can be used. */
async function twinHere(
  app: Pick<Audition, 'cards'>,
  candidate: ScoredCard,
  reachOf: ReturnType<typeof reachFor>,
): Promise<Reached | undefined> {
  const { duplicates } = candidate.signals
  if (duplicates.length === 0) return undefined
  for (const card of await app.cards(duplicates)) {
    const reach = reachOf(card)
    if (!isUsable(reach)) continue
    const others = [candidate.card.id, ...duplicates.filter((id) => id !== card.id)]
    return { ...candidate, card, reach, signals: { ...candidate.signals, duplicates: others } }
  }
  return undefined
}

function usableFirst(candidates: readonly Reached[]): readonly Reached[] {
  const ordered: Reached[] = []
  for (const candidate of candidates) {
    let place = ordered.length
    if (isUsable(candidate.reach))
      while (
        place > 0 &&
        !isUsable(ordered[place - 1]!.reach) &&
        candidate.score >= nearlyEqual * ordered[place - 1]!.score
      )
        place -= 1
    ordered.splice(place, 0, candidate)
  }
  return ordered
}

/** What to do, by how the candidates are reached. @param isHeld - of the server of the first that is not here a card is held */
function nextOf(
  candidates: readonly Reached[],
  { asker }: Asking,
  isHeld: boolean,
): { readonly next?: string } {
  const isThrough = ({ reach }: Reached): boolean =>
    reach !== undefined && 'reach' in reach && reach.reach === 'through audition'
  const through = candidates.find(isThrough)
  const absent = candidates.find(({ reach }) => reach !== undefined && !isUsable(reach))
  const isHere = candidates.some(({ reach }) => reach !== undefined && 'call' in reach)
  const isLoaded = asker?.host.loading === undefined || candidates[0]?.card.kind === 'agent'
  const parts = [
    isHere ? `Call by "call".${isLoaded ? '' : ` Deferred: first ${asker.host.loading}.`}` : '',
    through === undefined
      ? ''
      : through.card.kind === 'agent'
        ? 'Through audition: run_agent with its id.'
        : 'Through audition: call_tool, or call_tool_that_changes, with its id.',
    absent === undefined || asker === null
      ? ''
      : isHeld
        ? 'Not here: its server has a held card, so no host gets it as it is. `audition hire` tells the user why, and what to do.'
        : absentText(lineToAdd(absent.card, asker.host, asker.user)),
  ].filter((part) => part !== '')
  return parts.length === 0 ? {} : { next: parts.join(' ') }
}

const absentText = (line: string | undefined): string =>
  line === undefined
    ? 'Not here: no configuration of this machine names its server any more. The user runs `audition index`.'
    : `Not here: the user adds it by \`${line}\`.`

/** The filter for what can be used by whoever asks. @throws Mistake when that cannot be told, or is nothing */
export async function filterForHere(
  app: Pick<Audition, 'sources'>,
  { asker, calls }: Asking,
  given: readonly string[] | undefined,
): Promise<{ readonly sources: readonly string[] } | { readonly hasRuntime: true }> {
  if (calls) return { hasRuntime: true }
  if (asker === null)
    throw new Mistake('Which host asks is not known here, so "reach" cannot narrow. Call again without it.')
  const isHere = sourceIsHere(asker)
  const sources = (await app.sources())
    .filter(({ id, location }) => (given === undefined || given.includes(id)) && isHere(location))
    .map(({ id }) => id)
  if (sources.length > 0) return { sources }
  throw new Mistake(`Nothing that is indexed is in ${asker.host.title} here. Call again without "reach".`)
}

/** Kinds of agents among these candidates that the asker's host cannot run, wherever they lie. */
export function kindsNeverRun(found: SearchAnswer, asking: Asking): ReadonlySet<AgentCard['agentKind']> {
  if (asking.asker === null) return new Set()
  const reachOf = reachFor(asking)
  return new Set(
    found.candidates.flatMap(({ card }) =>
      card.kind === 'agent' && reachOf(card) === 'never' ? [card.agentKind] : [],
    ),
  )
}
