import type { CardKind } from '../../domain/card.ts'

/** From which log-odds an answer is said to fit. Chosen in training, on families of sets that were left out of it. */
export type VerdictThresholds = {
  /** Below it nothing fits. */
  readonly none: number
  /** From it on the match is good; at least {@link none}. */
  readonly good: number
  /** Requests of which the log-odds are known to be too low: both thresholds lie lower, by the largest that applies. */
  readonly eased: readonly EasedRequests[]
}

/** Requests of one sort. What is absent is not asked for. */
export type EasedRequests = {
  readonly kind?: CardKind | undefined
  /** Terms of the request: from, up to and without. */
  readonly words?: Range | undefined
  /** Cards of the catalog: from, up to and without. */
  readonly cards?: Range | undefined
  /** Log-odds, >= 0. */
  readonly by: number
}

type Range = { readonly from: number; readonly below?: number | undefined }

/** What thresholds depend on. */
export type RequestSort = { readonly kind: CardKind; readonly words: number; readonly cards: number }

/**
 * For models that were trained before thresholds were: lower than what a mean over sets asks for, since single sets lie
 * up to two below it.
 */
export const plainThresholds: VerdictThresholds = { none: -1.5, good: 0.5, eased: [] }

/** How much lower the thresholds lie for a request. */
export const easedBy = ({ eased }: Pick<VerdictThresholds, 'eased'>, sort: RequestSort): number =>
  eased.reduce((most, one) => (isOfSort(one, sort) ? Math.max(most, one.by) : most), 0)

export const isOfSort = ({ kind, words, cards }: Omit<EasedRequests, 'by'>, sort: RequestSort): boolean =>
  (kind === undefined || kind === sort.kind) && lies(words, sort.words) && lies(cards, sort.cards)

const lies = (range: Range | undefined, value: number): boolean =>
  range === undefined || (value >= range.from && (range.below === undefined || value < range.below))
