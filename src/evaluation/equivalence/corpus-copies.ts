import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import type { Dataset, Equivalence } from '../datasets/dataset.ts'
import { everyCard } from '../every-card.ts'
import type { RunSettings } from '../runs/evaluation-run.ts'
import { type Copies, copiesAmong } from './copies.ts'
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

/** The copies within what is searched, and how a run tells of them. */
type CorpusCopies = {
  of(snapshot: CatalogSnapshot): Promise<Copies>
  /** @param credited - queries in which a copy took over a label */
  notes(credited: number): readonly string[]
}

const none: Copies = new Map()

/** By the dataset's own classes where it has them, else by text; strictly, nothing is a copy of anything. */
export function corpusCopies(
  { equivalence: classes = sameText }: Dataset,
  equivalence: RunSettings['equivalence'],
): CorpusCopies {
  if (equivalence === 'strict') return { of: async () => none, notes: () => [] }
  let last: { readonly snapshot: CatalogSnapshot; readonly copies: Promise<Copies> } | undefined
  return {
    of(snapshot) {
      if (last?.snapshot !== snapshot)
        last = { snapshot, copies: everyCard(snapshot).then((cards) => copiesAmong(cards, classes)) }
      return last.copies
    },
    notes: (credited) => [
      `Equivalence-aware: copies of a relevant card earn its label (${classes.describes}). They did in ${credited} ${credited === 1 ? 'query' : 'queries'}. Such figures do not compare with strict ones.`,
    ],
  }
}
