import type { Equivalence } from '../datasets/dataset.ts'
import { normalisedText } from '../datasets/normalised-text.ts'

/**
 * Cards whose names and whose descriptions are the same but for case, punctuation and spaces. A card without a
 * description has no copies: two tools called `search` need not be one.
 */
export const sameText: Equivalence = {
  describes: 'cards with the same name and description but for case, punctuation and spaces',
  classOf({ kind, name, description }) {
    const described = normalisedText(description)
    return described === '' ? undefined : JSON.stringify([kind, normalisedText(name), described])
  },
}
