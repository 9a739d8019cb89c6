import { noSource } from '../../catalog/no-source.ts'
import type { Card } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import {
  type GoneCard,
  type HeldCard,
  isQuarantined,
  type SourceReview,
  type Trust,
} from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { guardedScan } from '../scan/guarded-scan.ts'
import { defaultTrust, standingOf } from '../standing.ts'
import { assertHeldAsShown, type ShownPins } from './as-shown.ts'
import { boundedGone, keyIn } from './gone-cards.ts'
import { type AskedAbout, heldBy, type Released, reviewOf } from './held-by.ts'
import { heldCounts } from './held-notices.ts'
import { pinOf } from './pin.ts'
import { pinsOfRefused, refusalsOf } from './refusals.ts'
import { type HeldTool, settleOwner } from './review-outcome.ts'

/**
 * Puts held cards into search: exactly the texts that are held now, which are remembered, so that the next reading takes
 * them and holds any other.
 *
 * @param words - ids of held cards, or of sources for all they hold and the user did not refuse, under this name or another
 * @param shown - what a person saw of them: another text by now is refused
 * @throws RemedyError when a word names neither, before anything is changed
 */
export async function acceptCards(
  writer: CatalogWriter,
  words: readonly string[],
  shown: ShownPins = new Map(),
): Promise<readonly Released[]> {
  await assertHeldAsShown(shown, writer)
  const asked = await heldBy(words, writer)
  const meant = asked.map((one) => ({ ...one, held: one.held.filter(isMeant(words, one.review)) }))
  const none = meant.find(({ held }) => held.length === 0)
  if (none !== undefined)
    throw new RemedyError(
      `source "${none.state.id}" holds nothing but what you refused, under another name.`,
      'Name the card that you want all the same.',
    )
  return commitReleases(writer, meant)
}

/** Who accepts all that a source holds did not mean a text that they refused, under whatever name it comes back. */
function isMeant(words: readonly string[], review: SourceReview): (held: HeldCard) => boolean {
  const { copiedBy } = refusalsOf(review, review.server)
  return ({ card }) => words.includes(card.id) || copiedBy(card) === undefined
}

/** What the user says of sources; `undecided` takes back what was said. */
export type Decision = Trust | 'undecided'

/**
 * Says whether changes of a source are taken at once from now on, and whether its cards count as the user's own in searches.
 * Trusting it releases what is held for a change. What is quarantined stays so, since trust says nothing of findings; and what the
 * user refused stays refused until it changes.
 *
 * @throws RemedyError when there is no such source
 */
export const decideTrust = (
  writer: CatalogWriter,
  ids: readonly string[],
  decision: Trust,
): Promise<readonly Released[]> =>
  commitDecisions(writer, ids, (state, { decision: _, ...review }) => ({
    state: { ...state, trust: decision, standing: standingOf(state, decision) },
    review: { ...review, decision },
  }))

/**
 * Takes back what the user said of sources: the defaults of their place hold again.
 *
 * @throws RemedyError when there is no such source
 */
export const forgetDecisions = (
  writer: CatalogWriter,
  ids: readonly string[],
): Promise<readonly Released[]> =>
  commitDecisions(writer, ids, (state, { decision: _, ...review }) => ({
    state: {
      ...state,
      trust: defaultTrust({ location: state.location, isLive: state.reader === 'mcp-server' }),
      standing: standingOf(state, undefined),
    },
    review,
  }))

async function commitDecisions(
  writer: CatalogWriter,
  ids: readonly string[],
  decided: (state: SourceState, review: SourceReview) => Omit<AskedAbout, 'held'>,
): Promise<readonly Released[]> {
  const [states, reviews] = [await writer.sources(), await writer.reviews()]
  const releases = [...new Set(ids)].map((id): AskedAbout => {
    const known = states.find((one) => one.id === id)
    if (known === undefined) throw noSource(id, states)
    const { state, review } = decided(known, reviewOf(reviews, id))
    const held =
      state.trust === 'trusted' ? review.held.filter((one) => !isQuarantined(one) && !one.refused) : []
    return { state, review, held }
  })
  return commitReleases(writer, releases)
}

async function commitReleases(
  writer: CatalogWriter,
  releases: readonly AskedAbout[],
): Promise<readonly Released[]> {
  const parts = await Promise.all(releases.map((one) => release(one, writer)))
  await writer.commit({
    put: parts.flatMap(({ put }) => put),
    remove: parts.flatMap(({ remove }) => remove),
    sources: parts.map(({ state }) => state),
    removeSources: [],
    reviews: parts.map(({ review }) => review),
  })
  return releases.map(({ state, held }) => ({ source: state.id, cards: held }))
}

async function release({ state, review, held }: AskedAbout, writer: CatalogWriter) {
  const wanted = review.held.flatMap(({ replaces }) => replaces ?? [])
  const replaced: CardsById = new Map((await writer.cards(wanted)).map((card) => [card.id, card]))
  const remove = held.flatMap(({ card, replaces }) =>
    replaces === undefined || replaces === card.id ? [] : [replaces],
  )
  const left = new Set(remove)
  const released = new Set(held)
  const waiting = review.held.filter((one) => !released.has(one))
  const still = waiting.map((one) => withFormer(one, replaced, left))
  const put = await settledCards({ review, held, still }, replaced)
  const gone = still.flatMap(({ former }) =>
    former === undefined || !left.has(former.id)
      ? []
      : [{ key: keyIn(former), pin: pinOf(former, review.server), card: former }],
  )
  const next: SourceReview = {
    ...review,
    accepted: [...new Set([...review.accepted, ...held.map(({ pin }) => pin)])],
    held: still,
    gone: boundedGone([...review.gone.filter((one) => !isAmong(one, held, review.server)), ...gone]),
    flagged: flaggedAfter(review.flagged, put, left),
    owners: still.some(({ card }) => card.kind === 'tool') ? review.owners : [],
  }
  // Which server answers, and what else goes with it, is settled by the next reading: then a live server is asked anew.
  const isSettled = state.reader === 'mcp-server' && held.length > 0
  const { held: _held, flagged: _flagged, ...rest } = isSettled ? unread(state) : state
  return {
    put,
    remove,
    review: next,
    state: { ...rest, ...countsAfter(state, held, replaced), ...heldCounts(next) },
  }
}

type CardsById = ReadonlyMap<string, Card>

/** Another card may claim to be the same one renamed: it stays held, and what it was is remembered. */
function withFormer(one: HeldCard, replaced: CardsById, left: ReadonlySet<string>): HeldCard {
  const former = one.replaces !== undefined && left.has(one.replaces) ? replaced.get(one.replaces) : undefined
  if (former === undefined) return one
  const { replaces: _, ...rest } = one
  return { ...rest, former }
}

/** Whether what was refused is what is accepted now. */
const isAmong = (one: GoneCard, held: readonly HeldCard[], server: SourceReview['server']): boolean => {
  if (one.refused !== true) return false
  const pins = new Set(pinsOfRefused(one, server))
  return held.some((other) => pinsOfRefused(other, server).some((pin) => pins.has(pin)))
}

/** Ids of cards in search that the scan flagged, once some are put there and others left it. */
export function flaggedAfter(
  before: readonly string[],
  put: readonly Card[],
  left: { has(id: string): boolean },
): readonly string[] {
  const putIds = new Set(put.map(({ id }) => id))
  return [
    ...before.filter((id) => !putIds.has(id) && !left.has(id)),
    ...put.flatMap(({ id, flags }) => (flags === undefined ? [] : [id])),
  ].sort()
}

/** The cards that are released, and those whose owner is settled by it, with what the scan finds in them. */
export async function settledCards(
  { review, held, still }: Omit<AskedAbout, 'state'> & { readonly still: readonly HeldCard[] },
  replaced: CardsById,
): Promise<readonly Card[]> {
  const heldTools = still.flatMap((one): HeldTool[] =>
    one.card.kind === 'tool' ? [{ card: one.card, pinned: replaced.get(one.replaces ?? '') ?? null }] : [],
  )
  const readOwner = new Map(review.owners.map((card) => [card.id, card]))
  const isWaiting = new Set(still.map(({ card }) => card.id))
  const settled = new Map<string, Card>()
  for (const { card } of held) settled.set(card.id, settleOwner(readOwner.get(card.id) ?? card, heldTools))
  for (const card of review.owners) {
    if (!isWaiting.has(card.id) && !settled.has(card.id)) settled.set(card.id, settleOwner(card, heldTools))
  }
  const findings = await guardedScan([...settled.values()], {
    neighbours: [],
    signal: new AbortController().signal,
  })
  const flagsOf = new Map([...findings, ...held.map(({ card, findings: own }) => [card.id, own] as const)])
  return [...settled.values()].map((card): Card => {
    const flags = flagsOf.get(card.id) ?? []
    return flags.length === 0 ? card : { ...card, flags }
  })
}

/** How many cards of each kind a source has in search then. */
function countsAfter({ tools, agents }: SourceState, held: readonly HeldCard[], replaced: CardsById) {
  const counts = { tool: tools, agent: agents }
  for (const id of new Set(held.flatMap(({ replaces }) => replaces ?? []))) {
    const old = replaced.get(id)
    if (old !== undefined) counts[old.kind] -= 1
  }
  for (const { card } of held) counts[card.kind] += 1
  return { tools: counts.tool, agents: counts.agent }
}

/** The state of a source that the next run reads again. */
export const unread = ({ fingerprint: _, ...state }: SourceState): SourceState => state
