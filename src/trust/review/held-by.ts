import { noSource } from '../../catalog/no-source.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import { emptyReview, type HeldCard, type SourceReview } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'

/** What was decided of one source: the cards that it released, or that are refused. */
export type Released = { readonly source: string; readonly cards: readonly HeldCard[] }

/** A source, and what of it is decided about. */
export type AskedAbout = {
  readonly state: SourceState
  readonly review: SourceReview
  readonly held: readonly HeldCard[]
}

/** What words ask to decide about, by source. @throws RemedyError when one names neither a source nor a held card */
export async function heldBy(
  words: readonly string[],
  writer: Pick<CatalogWriter, 'sources' | 'reviews'>,
): Promise<readonly AskedAbout[]> {
  const [states, reviews] = [await writer.sources(), await writer.reviews()]
  const wanted = new Map<string, AskedAbout>()
  for (const word of new Set(words)) {
    const [id = ''] = word.split('/', 1)
    const state = states.find((one) => one.id === id)
    if (state === undefined) throw noSource(id, states)
    const review = reviewOf(reviews, id)
    const held = review.held.filter(({ card, refused }) => (word === id ? !refused : card.id === word))
    if (held.length === 0) throw noneHeld(word, id)
    wanted.set(id, { state, review, held: [...new Set([...(wanted.get(id)?.held ?? []), ...held])] })
  }
  return [...wanted.values()]
}

const noneHeld = (word: string, id: string): RemedyError =>
  word === id
    ? new RemedyError(`source "${id}" holds no card.`, 'Run `audition sources` for those that do.')
    : new RemedyError(`no card "${word}" is held.`, `Run \`audition sources show ${id}\` for those that are.`)

export const reviewOf = (reviews: readonly SourceReview[], id: string): SourceReview =>
  reviews.find(({ key }) => key === id) ?? emptyReview(id)
