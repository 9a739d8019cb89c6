import { noSource } from '../../catalog/no-source.ts'
import type { Card } from '../../domain/card.ts'
import { grouped } from '../../domain/grouped.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import type { HeldCard, SourceReview } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { acceptedPins } from './accepted-cards.ts'
import { assertAcceptedAsShown, assertHeldAsShown, type ShownPins } from './as-shown.ts'
import { heldBy, type Released, reviewOf } from './held-by.ts'
import { heldCounts } from './held-notices.ts'
import { takeBack } from './take-back.ts'

/** What was refused of one source. */
export type Refused = Released & {
  /** Ids of those that had been accepted, and were in search until now. */
  readonly takenBack: readonly string[]
}

/**
 * Remembers that the user does not want held cards: they stay held, and nobody asks again about these very texts. A further
 * change is another text, and accepting one takes the refusal back. A card that was accepted before, and of which nothing
 * waits, leaves search, is held again and refused.
 *
 * @param words - ids of cards, or of sources for all they hold
 * @param shown - what a person saw of held cards: another text by now is not decided about
 * @throws RemedyError when a word names nothing that is held or was accepted, before anything is changed
 */
export async function refuseCards(
  writer: CatalogWriter,
  words: readonly string[],
  shown: ShownPins = new Map(),
): Promise<readonly Refused[]> {
  await assertHeldAsShown(shown, writer)
  const all = [...new Set(words)]
  const isBack = await Promise.all(all.map((word) => isToTakeBack(word, writer)))
  return commitRefusals(writer, {
    held: all.filter((_, at) => !isBack[at]),
    accepted: all.filter((_, at) => isBack[at]),
  })
}

/**
 * Takes back that the user accepted cards, whatever else of them is held.
 *
 * @param ids - of cards in search
 * @param shown - what a person saw of them
 * @throws RemedyError for one that was not accepted, before anything is changed
 */
export async function takeBackCards(
  writer: CatalogWriter,
  ids: readonly string[],
  shown: ShownPins = new Map(),
): Promise<readonly Refused[]> {
  await assertAcceptedAsShown(shown, writer)
  return commitRefusals(writer, { held: [], accepted: [...new Set(ids)] })
}

/** Whether a word means a card that was accepted: one of the same id that waits is meant first. */
async function isToTakeBack(word: string, writer: CatalogWriter): Promise<boolean> {
  const review = reviewOf(await writer.reviews(), sourceIn(word))
  if (word === review.key || review.held.some(({ card, refused }) => card.id === word && !refused))
    return false
  const [card] = await writer.cards([word])
  return card !== undefined && acceptedPins(card, review).length > 0
}

const sourceIn = (word: string): string => word.split('/', 1)[0] ?? ''

/** What is refused of one source, and what becomes of it. */
type Refusal = {
  readonly state: SourceState
  readonly review: SourceReview
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  readonly refused: Refused
}

async function commitRefusals(
  writer: CatalogWriter,
  words: { readonly held: readonly string[]; readonly accepted: readonly string[] },
): Promise<readonly Refused[]> {
  const refusals = new Map<string, Refusal>()
  for (const { state, review, held } of await heldBy(words.held, writer))
    refusals.set(state.id, heldRefused({ state, review }, held))
  const [states, reviews] = [await writer.sources(), await writer.reviews()]
  for (const [id, ids] of grouped(words.accepted, sourceIn)) {
    const state = states.find((one) => one.id === id)
    if (state === undefined) throw noSource(id, states)
    const before = refusals.get(id) ?? heldRefused({ state, review: reviewOf(reviews, id) }, [])
    const back = await takeBack(before, await acceptedNamed(ids, before.review, writer), writer)
    const { source, cards } = before.refused
    const { state: after, review, put, remove } = back
    const refused = { source, cards: [...cards, ...back.held], takenBack: ids }
    refusals.set(id, { state: after, review, put, remove, refused })
  }
  const parts = [...refusals.values()]
  await writer.commit({
    put: parts.flatMap(({ put }) => put),
    remove: parts.flatMap(({ remove }) => remove),
    removeSources: [],
    sources: parts.map(({ state }) => state),
    reviews: parts.map(({ review }) => review),
  })
  return parts.map(({ refused }) => refused)
}

/** What is held stays so, and is marked. */
function heldRefused(
  { state: { held: _, ...state }, review }: Pick<Refusal, 'state' | 'review'>,
  held: readonly HeldCard[],
): Refusal {
  const next: SourceReview = {
    ...review,
    held: review.held.map((one) => (held.includes(one) ? { ...one, refused: true } : one)),
  }
  return {
    state: { ...state, ...heldCounts(next) },
    review: next,
    put: [],
    remove: [],
    refused: { source: state.id, cards: held, takenBack: [] },
  }
}

/** @throws RemedyError for an id that is not in search, or whose card was not accepted */
async function acceptedNamed(
  ids: readonly string[],
  review: SourceReview,
  writer: CatalogWriter,
): Promise<readonly Card[]> {
  const cards = await writer.cards(ids)
  const accepted = cards.filter((card) => acceptedPins(card, review).length > 0)
  const other = ids.find((id) => accepted.every((card) => card.id !== id))
  if (other === undefined) return accepted
  throw new RemedyError(
    `you accepted no card "${other}".`,
    `Run \`audition sources show ${review.key}\` for those that you did.`,
  )
}
