import type { AgentCard, Card, CardKind } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { keyIn } from './gone-cards.ts'
import type { Judgement, Precedent, HeldPlace } from './judge-card.ts'
import type { HeldCard } from '../../store/source-review.ts'
import { describedByTools } from '../../catalog/harvest-cards.ts'

/** What becomes of a source's cards, as far as they were judged. */
export type ReviewOutcome = {
  readonly put: Card[]
  readonly remove: Set<string>
  readonly held: HeldCard[]
  readonly heldTools: HeldTool[]
  readonly flagged: Set<string>
  /** Kinds of the cards in search, by id. */
  readonly kinds: Map<string, CardKind>
  /** Keys of cards that had gone, and stand in search again. */
  readonly cameBack: Set<string>
  /** Ids in search that another card took over. */
  readonly renamed: Set<string>
  readonly findings: Map<string, readonly Finding[]>
  /** Ids of cards whose text was not in search before. */
  readonly fresh: string[]
  added: number
  changed: number
}

export const emptyOutcome = (): ReviewOutcome => ({
  put: [],
  remove: new Set(),
  held: [],
  heldTools: [],
  flagged: new Set(),
  kinds: new Map(),
  cameBack: new Set(),
  renamed: new Set(),
  findings: new Map(),
  fresh: [],
  added: 0,
  changed: 0,
})

/** A card that was judged, with what it was judged by. */
export type JudgedCard = {
  readonly card: Card
  readonly precedent: Precedent
  /** Whether the very text is in search. */
  readonly isUnchanged: boolean
  readonly wasFlagged: boolean
  readonly findings: readonly Finding[]
}

/** A card of which nothing is new stays. */
export function keepCard(
  outcome: ReviewOutcome,
  { card, wasFlagged }: JudgedCard,
  isRescanned: boolean,
): void {
  outcome.kinds.set(card.id, card.kind)
  if (!wasFlagged) return
  // Another version of the scan finds nothing here: the flag goes.
  if (isRescanned) outcome.put.push(card)
  else outcome.flagged.add(card.id)
}

/** A card gets into search. */
export function takeCard(outcome: ReviewOutcome, reviewed: JudgedCard): void {
  const { card, precedent, isUnchanged, wasFlagged, findings } = reviewed
  const isFlagged = findings.length > 0
  if (!isUnchanged || isFlagged || wasFlagged)
    outcome.put.push(isFlagged ? { ...card, flags: findings } : card)
  if (isFlagged) outcome.flagged.add(card.id)
  if (!isUnchanged) outcome.fresh.push(card.id)
  if (precedent.was !== 'known') outcome.added += 1
  else if (!isUnchanged) outcome.changed += 1
  outcome.kinds.set(card.id, card.kind)
  outcome.cameBack.add(keyIn(card))
  if (precedent.was !== 'renamed') return
  if (precedent.gone === undefined) outcome.renamed.add(precedent.card.id)
  else outcome.cameBack.add(precedent.gone.key)
}

/** What is held, since when, and what the user said of it. */
type CardToHold = JudgedCard &
  Pick<Extract<Judgement, { verdict: 'hold' }>, 'pin' | 'change'> &
  Pick<HeldCard, 'since' | 'refused'>

/**
 * A card is held, and another stands in its place.
 *
 * @param place - null where none does
 */
export function holdCard(
  outcome: ReviewOutcome,
  { card, precedent, findings, pin, change, since, refused }: CardToHold,
  place: (HeldPlace & { readonly wasFlagged: boolean }) | null,
): void {
  if (precedent.was === 'known' && place === null) outcome.remove.add(card.id)
  if (place !== null) {
    outcome.kinds.set(place.id, card.kind)
    if (place.wasFlagged) outcome.flagged.add(place.id)
    if (place.isRestored && place.card !== null) {
      outcome.put.push(place.card)
      outcome.cameBack.add(keyIn(card))
    }
  }
  outcome.held.push({
    card,
    pin,
    since,
    ...(place === null ? {} : { replaces: place.id }),
    ...(change === undefined ? {} : { change }),
    ...(place === null && precedent.was === 'renamed' ? { former: precedent.card } : {}),
    findings,
    ...(refused ? { refused } : {}),
  })
  if (card.kind === 'tool') outcome.heldTools.push({ card, pinned: place?.card ?? null })
}

/** A tool that is held, and the card that stands in its place: null where none does. */
export type HeldTool = { readonly card: Card; readonly pinned: Card | null }

/**
 * An agent as it may be searched while some tools of its source are held: its list of tools shows what is in search, and
 * nothing of what is not, since names and descriptions of tools are read like any other text. A description that is made
 * of the tools' names is made anew.
 *
 * @returns the same object when it owns none of them
 */
export function settleOwner<C extends Card>(card: C, held: readonly HeldTool[]): C {
  if (card.kind !== 'agent' || held.length === 0) return card
  const agent: AgentCard = card
  const byName = new Map(held.map((tool) => [tool.card.name, tool]))
  if (!agent.tools.some(({ id, name }) => id !== undefined && byName.has(name))) return card
  const tools = agent.tools.flatMap((tool): AgentCard['tools'] => {
    const one = tool.id === undefined ? undefined : byName.get(tool.name)
    if (one === undefined) return [tool]
    if (one.pinned === null) return []
    const { id, name, description } = one.pinned
    return [{ name, ...(description === '' ? {} : { description }), id }]
  })
  const isOurs = agent.description === describedByTools(agent.name, agent.tools)
  return { ...card, tools, ...(isOurs ? { description: describedByTools(agent.name, tools) } : {}) }
}
