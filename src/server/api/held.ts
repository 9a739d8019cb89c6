import { z } from 'zod'
import type { HeldCard, SourceReview } from '../../store/source-review.ts'
import { isQuarantined } from '../../store/source-review.ts'
import { serverDifferences } from '../../trust/review/card-differences.ts'
import { heldViews } from '../../trust/review/held-views.ts'
import { nameText } from '../forms/schemas.ts'
import { ApiError } from './api-error.ts'
import { type ApiContext, endpoint } from './endpoint.ts'
import { list, nothing } from './inputs.ts'

/** Cards that are held, with what they would change, as `audition sources show` tells it. */
export const held = endpoint({
  does: 'Lists held cards with why, what the scan found and how they differ from those in search.',
  effect: 'reads',
  who: 'owner',
  input: nothing,
  async handle(_, { app }) {
    const reviews = (await app.reviews()).filter((review) => review.held.length > 0)
    return { sources: await Promise.all(reviews.map((review) => sourceView(app, review))) }
  },
})

async function sourceView(app: ApiContext['app'], review: SourceReview) {
  const replaced = await app.cards(review.held.flatMap(({ replaces }) => replaces ?? []))
  return {
    source: review.key,
    server: serverDifferences(review.server, review.otherServer),
    cards: heldViews(review, replaced).map((view) => ({
      ...{ id: view.card.id, pin: view.pin, since: view.since, change: view.change, findings: view.findings },
      ...{ replaces: view.replaces, differences: view.differences, isQuarantined: isQuarantined(view) },
    })),
  }
}

/** Puts held cards into search: exactly those that were shown. */
export const accept = endpoint({
  does: 'Puts held cards into search, exactly as `held` showed them.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({
    cards: z
      .array(z.strictObject({ id: nameText(), pin: nameText() }))
      .min(1)
      .max(1_000),
  }),
  async handle({ cards }, { app }) {
    const now = new Map<string, HeldCard>(
      (await app.reviews()).flatMap((review) => review.held.map((one) => [one.card.id, one] as const)),
    )
    const other = cards.find(({ id, pin }) => now.get(id)?.pin !== pin)
    if (other !== undefined)
      throw new ApiError(409, `"${other.id}" is not held as it was shown.`, 'Read it again, then decide.')
    const released = await app.accept(cards.map(({ id }) => id))
    return { accepted: released.flatMap((one) => one.cards.map(({ card }) => card.id)) }
  },
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
    return { released: released.flatMap((one) => one.cards.map(({ card }) => card.id)) }
  },
})
