import { RemedyError } from '../../domain/remedy-error.ts'
import type { CatalogWriter } from '../../store/catalog-writer.ts'
import { acceptedPins } from './accepted-cards.ts'
import { reviewOf } from './held-by.ts'

/** Pins of cards as a person was shown them, by their ids. */
export type ShownPins = ReadonlyMap<string, string>

/** A card became another one between what was shown and what was decided: nothing is changed then. */
export class ChangedSinceShownError extends RemedyError {
  override readonly name = 'ChangedSinceShownError'
}

type Reviewed = Pick<CatalogWriter, 'cards' | 'reviews'>

/** Called while nobody else writes: what is decided about is what was shown. @throws ChangedSinceShownError */
export async function assertHeldAsShown(shown: ShownPins, writer: Reviewed): Promise<void> {
  const held = (await writer.reviews()).flatMap((review) => review.held)
  for (const [id, pin] of shown)
    if (!held.some((one) => one.card.id === id && one.pin === pin)) throw changed(id, 'held')
}

/** The same of cards in search that the user accepted. @throws ChangedSinceShownError */
export async function assertAcceptedAsShown(shown: ShownPins, writer: Reviewed): Promise<void> {
  const [reviews, cards] = [await writer.reviews(), await writer.cards([...shown.keys()])]
  for (const [id, pin] of shown) {
    const card = cards.find((one) => one.id === id)
    const [source = ''] = id.split('/', 1)
    if (card === undefined || !acceptedPins(card, reviewOf(reviews, source)).includes(pin))
      throw changed(id, 'accepted')
  }
}

const changed = (id: string, how: string): ChangedSinceShownError =>
  new ChangedSinceShownError(`"${id}" is not ${how} as it was shown.`, 'Read it again, then decide.')
