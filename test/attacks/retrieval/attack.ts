import type { ToolCard } from '../../../src/domain/card.ts'
import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'

/** A request that the attacker knows word for word, and the honest cards that serve it. */
export type Target = { readonly text: string; readonly winners: readonly ToolCard[] }

/** What the attacker writes of one card; who publishes it is decided afterwards. */
export type HostileDraft = Pick<ToolCard, 'name' | 'description'> &
  Partial<Pick<ToolCard, 'examples' | 'parameters' | 'documentation' | 'tags'>>

/** What the attacker has at hand besides the targets: our own model and the words of the catalog. */
export type Arsenal = {
  readonly random: SeededRandom
  /** Cosine of a card's vector and a request's, by the model that ships; null without one. */
  readonly cosine: ((draft: HostileDraft, text: string) => Promise<number>) | null
  /** How rare a word of a request is in the honest catalog, >= 0. */
  readonly rarity: (word: string) => number
}

/** One way to win places that are not deserved. */
export type Attack = {
  readonly name: string
  /** In one sentence, for the notes. */
  readonly describes: string
  /** @returns `count` drafts at most, spread evenly over the targets */
  drafts(
    targets: readonly Target[],
    count: number,
    arsenal: Arsenal,
  ): Promise<readonly HostileDraft[]> | readonly HostileDraft[]
}
