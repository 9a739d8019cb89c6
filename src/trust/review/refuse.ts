import type { CatalogWriter } from '../../store/catalog-writer.ts'
import type { SourceReview } from '../../store/source-review.ts'
import { heldBy, type Released } from './decide.ts'
import { heldCounts } from './held-place.ts'

/**
 * Remembers that the user does not want held cards: they stay held, and nobody asks again about these very texts. A further
 * change is another text, and accepting one takes the refusal back.
 *
 * @param words - as `acceptCards` takes them, which throws as this does
 */
export async function refuseCards(
  writer: CatalogWriter,
  words: readonly string[],
): Promise<readonly Released[]> {
  const refusals = await heldBy(words, writer)
  const parts = refusals.map(({ state: { held: _, ...state }, review, held }) => {
    const next: SourceReview = {
      ...review,
      held: review.held.map((one) => (held.includes(one) ? { ...one, refused: true } : one)),
    }
    return { review: next, state: { ...state, ...heldCounts(next) } }
  })
  await writer.commit({
    ...{ put: [], remove: [], removeSources: [] },
    sources: parts.map(({ state }) => state),
    reviews: parts.map(({ review }) => review),
  })
  return refusals.map(({ state, held }) => ({ source: state.id, cards: held }))
}
