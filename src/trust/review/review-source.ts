import { contentHash } from '../../catalog/identity.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { isQuarantined, type SourceReview } from '../../store/source-review.ts'
import { type HeldPlace, heldPlaceOf, judgeCard } from './judge-card.ts'
import { pinOf } from './pin.ts'
import {
  emptyOutcome,
  holdCard,
  type JudgedCard,
  keepCard,
  type ReviewOutcome,
  settleOwner,
  takeCard,
} from './review-outcome.ts'
import { boundedGone, keyIn } from './gone-cards.ts'
import { type PastReading, type SourcePast, sourcePast } from './source-past.ts'

/**
 * One source as a run read it, beside what the store has of it: its cards, each id once, and the ids and content hashes
 * in search; `server` is absent for files.
 */
type SourceReading = PastReading & {
  /** `all`: the store's cards were looked through by another version of the scan, or never. */
  readonly scan: 'changed' | 'all'
  /** ISO 8601. */
  readonly now: string
}

/** What a review asks of others. */
type ReviewAids = {
  /** Cards of the store by id. */
  stored(ids: readonly string[]): Promise<readonly Card[]>
  scan(cards: readonly Card[]): Promise<ReadonlyMap<string, readonly Finding[]>>
}

/** What becomes of the cards of a source. */
export type Reviewed = {
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  readonly review: SourceReview
  /** Cards in search once this is committed. */
  readonly inSearch: { readonly [kind in CardKind]: number }
  readonly added: number
  readonly changed: number
  /** Ids of cards whose text was not in search before. */
  readonly fresh: readonly string[]
  /** Findings of this run by card id. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
}

/**
 * Decides of each card that was read whether it gets into search or is held, and what stays there in its place. Tools
 * first, then the agents that own them, whose lists of tools show only what is in search.
 */
export async function reviewSource(reading: SourceReading, aids: ReviewAids): Promise<Reviewed> {
  const past = await sourcePast(reading, (ids) => aids.stored(ids))
  const outcome = emptyOutcome()
  const run: ReviewRun = { reading, past, outcome, aids }
  await reviewGroup(
    run,
    reading.cards.filter(({ kind }) => kind === 'tool'),
  )
  const agents = reading.cards.filter(({ kind }) => kind === 'agent')
  const settled = agents.map((card) => settleOwner(card, outcome.heldTools))
  await reviewGroup(run, settled)
  return concluded(
    run,
    agents.filter((card, place) => settled[place] !== card),
  )
}

type ReviewRun = {
  readonly reading: SourceReading
  readonly past: SourcePast
  readonly outcome: ReviewOutcome
  readonly aids: ReviewAids
}

async function reviewGroup(
  { reading, past, outcome, aids }: ReviewRun,
  group: readonly Card[],
): Promise<void> {
  const { known, review, server } = reading
  const { isGuarded, isOtherServer, accepted, refused, wasFlagged } = past
  const isRescanned = reading.scan === 'all'
  const others = new Set(
    group.filter((card) => !known.has(card.id) || known.get(card.id) !== contentHash(card)),
  )
  const findings = await findingsOf(isRescanned || isOtherServer ? group : [...others], aids)
  for (const [id, found] of findings) outcome.findings.set(id, found)
  const replaced = [...others].filter(
    ({ id }) =>
      known.has(id) && (isGuarded || refused.size > 0 || isQuarantined({ findings: findings.get(id) ?? [] })),
  )
  const olds = await storedById(replaced, aids)
  const oldFindings = await findingsOf(isRescanned ? [...olds.values()] : [], aids)
  const before = review.server ?? server
  const circumstances = { isGuarded, isOtherServer, accepted, refused, before, now: server }

  const own = ownFindings(reading, accepted)
  for (const card of group) {
    const found = findings.get(card.id) ?? []
    const isUnchanged = known.has(card.id) && !others.has(card)
    const inSearch = isUnchanged ? card : (olds.get(card.id) ?? null)
    const precedent = past.precedentOf(card, known.has(card.id) ? inSearch : undefined)
    const reviewed: JudgedCard = {
      card,
      precedent,
      isUnchanged,
      wasFlagged: wasFlagged.has(card.id),
      findings: found,
    }
    if (isUnchanged && !isOtherServer && found.length === 0) {
      keepCard(outcome, reviewed, isRescanned)
      continue
    }
    const judgement = judgeCard(card, precedent, { ...circumstances, findings: own(card, found) })
    if (judgement.verdict === 'take') {
      takeCard(outcome, reviewed)
      continue
    }
    // What is in search may be the very text that the scan now finds at fault.
    const isAtFault = isUnchanged && isQuarantined({ findings: found })
    const isSound = (old: Card): boolean =>
      !isQuarantined({ findings: oldFindings.get(old.id) ?? [] }) || accepted.has(pinOf(old, before))
    const isFit = ({ card: old }: HeldPlace): boolean => old === null || (!isAtFault && isSound(old))
    const place = heldPlaceOf(card, precedent)
    holdCard(
      outcome,
      { ...reviewed, ...judgement, ...past.heldSince(card.id, judgement.pin, reading.now) },
      place !== null && isFit(place) ? { ...place, wasFlagged: wasFlagged.has(place.id) } : null,
    )
  }
}

/**
 * What the scan found in the words of a card itself. An agent that lists a tool of its source repeats what that says: where the user
 * accepted the tool, that does not hold the agent.
 */
function ownFindings({ cards, server }: SourceReading, accepted: ReadonlySet<string>) {
  const tools = accepted.size === 0 ? [] : cards.filter(({ kind }) => kind === 'tool')
  const taken = new Map(
    tools.filter((card) => accepted.has(pinOf(card, server))).map((card) => [card.id, card]),
  )
  return (card: Card, findings: readonly Finding[]): readonly Finding[] => {
    if (card.kind === 'tool' || taken.size === 0) return findings
    return findings.filter(({ field }) => {
      const at = /^tools\[(\d+)\]\./.exec(field)?.[1]
      const { id = '', name, description } = card.tools[Number(at)] ?? {}
      const tool = taken.get(id)
      return tool === undefined || tool.name !== name || tool.description !== (description ?? '')
    })
  }
}

const findingsOf = async (cards: readonly Card[], aids: ReviewAids) =>
  cards.length === 0 ? new Map<string, readonly Finding[]>() : aids.scan(cards)

async function storedById(cards: readonly Card[], aids: ReviewAids): Promise<ReadonlyMap<string, Card>> {
  const stored = cards.length === 0 ? [] : await aids.stored(cards.map(({ id }) => id))
  return new Map(stored.map((card) => [card.id, card]))
}

/** @param owners - agents as they were read, whose list of tools is shown without what is held */
function concluded({ reading, past, outcome }: ReviewRun, owners: readonly Card[]): Reviewed {
  const { review, server } = reading
  const { isGuarded, isOtherServer, vanished, vanishedIds } = past
  const { put, remove, held, flagged, kinds, cameBack, renamed, findings, fresh, added, changed } = outcome
  const isKept = new Set(held.map(({ replaces }) => replaces))
  for (const card of vanished) {
    // Until its user accepts another server, the cards of the one before stay.
    if (isOtherServer && !renamed.has(card.id)) kinds.set(card.id, card.kind)
    else if (!isKept.has(card.id)) remove.add(card.id)
  }
  if (!isGuarded) for (const id of vanishedIds) remove.add(id)
  const nowGone = vanished
    .filter(({ id }) => remove.has(id) && !renamed.has(id))
    .map((card) => ({ key: keyIn(card), pin: pinOf(card, review.server ?? server), card }))
  // What comes back does so with a text of its own: what was refused of it stays refused.
  const stillGone = review.gone.filter(({ key, refused }) => refused || !cameBack.has(key))
  const waitsForServer = isOtherServer && held.some(({ change }) => change !== undefined)
  const pinnedServer = waitsForServer ? review.server : (server ?? review.server)
  const inSearch = { tool: 0, agent: 0 }
  for (const kind of kinds.values()) inSearch[kind] += 1
  return {
    put,
    remove: [...remove],
    review: {
      key: review.key,
      ...(pinnedServer === undefined ? {} : { server: pinnedServer }),
      ...(waitsForServer && server !== undefined ? { otherServer: server } : {}),
      ...(review.decision === undefined ? {} : { decision: review.decision }),
      accepted: review.accepted,
      held,
      gone: boundedGone([...stillGone, ...nowGone]),
      flagged: [...flagged].sort(),
      owners,
    },
    inSearch,
    fresh,
    added,
    changed,
    findings,
  }
}
