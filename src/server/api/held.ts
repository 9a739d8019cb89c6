import { z } from 'zod'
import { flagNames } from '../../domain/finding.ts'
import { isQuarantined, type SourceReview } from '../../store/source-review.ts'
import type { AcceptedCards } from '../../trust/review/accepted-cards.ts'
import { ChangedSinceShownError, type ShownPins } from '../../trust/review/as-shown.ts'
import { heldViews, serverDifferences } from '../../trust/review/card-differences.ts'
import { nameText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint, list, nothing } from './endpoint.ts'

/** Cards that are held, with what they would change, and those that were accepted, as `audition sources show` tells it. */
export const held = endpoint({
  does: 'Lists held cards with why, what the scan found and how they differ from those in search; and the cards that were accepted.',
  effect: 'reads',
  who: 'owner',
  input: nothing,
  async handle(_, { app }) {
    const reviews = (await app.reviews()).filter((review) => review.held.length > 0)
    const trusted = new Set(
      (await app.sources()).filter((state) => state.trust === 'trusted').map(({ id }) => id),
    )
    const views = await Promise.all(reviews.map((review) => sourceView(app, review)))
    return {
      sources: views.map((view) => ({ ...view, isTrusted: trusted.has(view.source) })),
      accepted: (await app.accepted()).map(acceptedView),
    }
  },
})

/** What was accepted of a source, the first of it. */
const acceptedView = ({ source, cards }: AcceptedCards) => ({
  source,
  count: cards.length,
  cards: cards.slice(0, mostCards).map(({ card, pin }) => ({ id: card.id, pin, flags: flagNames(card) })),
})

/** Cards of a source that are told at once: those that wait first. */
const mostCards = 100

async function sourceView(app: ApiContext['app'], review: SourceReview) {
  const ordered = [...review.held].sort((a, b) => Number(a.refused === true) - Number(b.refused === true))
  const held = ordered.slice(0, mostCards)
  const replaced = await app.cards(held.flatMap(({ replaces }) => replaces ?? []))
  return {
    source: review.key,
    decision: review.decision,
    count: ordered.length,
    server: serverDifferences(review.server, review.otherServer),
    cards: heldViews({ ...review, held }, replaced).map((view) => ({
      id: view.card.id,
      pin: view.pin,
      since: view.since,
      change: view.change,
      findings: view.findings,
      replaces: view.replaces,
      differences: view.differences,
      isQuarantined: isQuarantined(view),
      isRefused: view.refused === true,
    })),
  }
}

const shownCards = z.strictObject({
  cards: z
    .array(z.strictObject({ id: nameText(), pin: nameText() }))
    .min(1)
    .max(1_000),
})

/** What is decided about is what was shown. @throws ApiError 409 */
async function asShown<Decided>(
  { cards }: z.output<typeof shownCards>,
  decide: (ids: readonly string[], shown: ShownPins) => Promise<Decided>,
): Promise<Decided> {
  try {
    return await decide(
      cards.map(({ id }) => id),
      new Map(cards.map(({ id, pin }) => [id, pin])),
    )
  } catch (error) {
    if (error instanceof ChangedSinceShownError) throw new ApiError(409, error.message, error.remedy)
    throw error
  }
}

const idsOf = (released: Awaited<ReturnType<ApiContext['app']['accept']>>): readonly string[] =>
  released.flatMap((one) => one.cards.map(({ card }) => card.id))

/** Puts held cards into search: exactly those that were shown. */
export const accept = endpoint({
  does: 'Puts held cards into search, exactly as `held` showed them.',
  effect: 'changes',
  who: 'owner',
  input: shownCards,
  handle: async (shown, { app }) => ({
    accepted: idsOf(await asShown(shown, (ids, pins) => app.accept(ids, pins))),
  }),
})

/** Leaves them out: `audition sources refuse`. */
export const refuse = endpoint({
  does: 'Leaves held cards out, exactly as `held` showed them: nobody is asked again until they change. `accept` takes it back.',
  effect: 'changes',
  who: 'owner',
  input: shownCards,
  handle: async (shown, { app }) => ({
    refused: idsOf(await asShown(shown, (ids, pins) => app.refuse(ids, pins))),
  }),
})

/** Takes accepted cards out of search again: `audition sources refuse` of what is not held. */
export const takeBack = endpoint({
  does: 'Takes accepted cards out of search again, exactly as `held` or `card` showed them: they are held and refused. `accept` takes it back.',
  effect: 'changes',
  who: 'owner',
  input: shownCards,
  handle: async (shown, { app }) => ({
    takenBack: idsOf(await asShown(shown, (ids, pins) => app.takeBack(ids, pins))),
  }),
})

/** What the user says of sources: `audition sources trust` and `distrust`. */
export const trust = endpoint({
  does: 'Says whether changes of sources are taken at once (trusted), or held (untrusted); undecided takes it back.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({
    sources: list(nameText()),
    decision: z.enum(['trusted', 'untrusted', 'undecided']),
  }),
  async handle({ sources, decision }, { app }) {
    const released = await app.decideTrust(sources, decision)
    return { released: idsOf(released) }
  },
})
