import type { AgentCard, Card } from '../../domain/card.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import type { HeldCard, SourceReview } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { acceptedPins } from './accepted-cards.ts'
import { flaggedAfter, settledCards, unread } from './decide.ts'
import { heldCounts } from './held-notices.ts'
import { boundedGone, keyIn } from './gone-cards.ts'

type Reviewed = { readonly state: SourceState; readonly review: SourceReview }

/** What becomes of a source when accepted cards of it are taken back. */
type TakenBack = Reviewed & {
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  /** The cards as they are held now. */
  readonly held: readonly HeldCard[]
}

/**
 * Takes accepted cards out of search again. Their texts are held and refused, also when they come again after having been away. The card
 * of before was let go when they were accepted, so that nothing stands in their place; the lists of tools that named them
 * are made anew.
 *
 * @param cards - of the source, in search and accepted
 */
export async function takeBack(
  { state, review }: Reviewed,
  cards: readonly Card[],
  writer: Pick<CatalogWriter, 'hashes' | 'cards'>,
): Promise<TakenBack> {
  const since = new Date().toISOString()
  const back = cards.map((card) => ({ card, pins: acceptedPins(card, review) }))
  const pins = new Set(back.flatMap((one) => one.pins))
  const left = new Map(cards.map((card) => [card.id, unflagged(card)]))
  const waiting = review.held.map((one) => withoutPlace(one, left))
  const isWaiting = new Set(waiting.map(({ card }) => card.id))
  const held = back.map(
    ({ card, pins: [pin = ''] }): HeldCard => ({
      card: unflagged(card),
      pin,
      since,
      findings: card.flags ?? [],
      refused: true,
    }),
  )
  const still = [...waiting, ...held.filter(({ card }) => !isWaiting.has(card.id))]
  const gone = held.map(({ card, pin }) => ({ key: keyIn(card), pin, card, refused: true as const }))
  const { owners, inPlace } = await ownersOf(cards, review, writer)
  const inSearch = await writer.cards(still.flatMap(({ replaces }) => replaces ?? []))
  const replaced = new Map(inSearch.map((card) => [card.id, card]))
  const asked = { review: { ...review, owners }, held: [], still }
  // An owner whose newer text waits stays in search as it was, and must not repeat there what was taken back.
  const stands = { review: { ...review, owners: inPlace }, held: [], still: held }
  const settled = [...(await settledCards(asked, replaced)), ...(await settledCards(stands, new Map()))]
  const put = settled.filter(({ id }) => !left.has(id))
  const next: SourceReview = {
    ...review,
    accepted: review.accepted.filter((pin) => !pins.has(pin)),
    held: still,
    gone: boundedGone([...review.gone, ...gone]),
    flagged: flaggedAfter(review.flagged, put, left),
    owners,
  }
  const tools = cards.filter(({ kind }) => kind === 'tool').length
  const { held: _held, flagged: _flagged, ...rest } = state.reader === 'mcp-server' ? unread(state) : state
  const counts = { tools: state.tools - tools, agents: state.agents - (cards.length - tools) }
  return {
    state: { ...rest, ...counts, ...heldCounts(next) },
    review: next,
    put,
    remove: [...left.keys()],
    held,
  }
}

const unflagged = ({ flags: _, ...card }: Card): Card => card as Card

/** What would have taken the place of a card that leaves search takes nobody's, and is compared with it all the same. */
function withoutPlace(one: HeldCard, left: ReadonlyMap<string, Card>): HeldCard {
  const former = left.get(one.replaces ?? '')
  if (former === undefined) return one
  const { replaces: _, ...rest } = one
  return { ...rest, former }
}

/** The agents whose list of tools must be shown without what is held: as they were read, and as others stand in search in their place. */
async function ownersOf(
  cards: readonly Card[],
  review: SourceReview,
  writer: Pick<CatalogWriter, 'hashes' | 'cards'>,
): Promise<{ readonly owners: readonly Card[]; readonly inPlace: readonly Card[] }> {
  const ids = new Set(cards.flatMap(({ kind, id }) => (kind === 'tool' ? [id] : [])))
  if (ids.size === 0) return { owners: review.owners, inPlace: [] }
  const owns = (card: Card): card is AgentCard =>
    card.kind === 'agent' && card.tools.some(({ id }) => id !== undefined && ids.has(id))
  const inSearch = (await writer.cards([...(await writer.hashes(review.key)).keys()])).filter(owns)
  const waiting = review.held.map(({ card }) => card)
  const isWaiting = new Set(waiting.map(({ id }) => id))
  const known = new Set(review.owners.map(({ id }) => id))
  const read = [...inSearch.filter(({ id }) => !isWaiting.has(id)), ...waiting.filter(owns)]
  return {
    owners: [...review.owners, ...read.filter(({ id }) => !known.has(id)).map(unflagged)],
    inPlace: inSearch.filter(({ id }) => isWaiting.has(id)).map(unflagged),
  }
}
