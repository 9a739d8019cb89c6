/**
 * Holm's step-down correction: p-values adjusted so that, rejecting those below 0.05, the chance of any false rejection
 * in the family stays below 0.05.
 *
 * @returns in the order given; none below its own p-value, none above 1
 * @see Holm, Scandinavian Journal of Statistics 1979
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = new Array<number>(pValues.length)
  let highest = 0
  for (const [place, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, pValues[index]! * (pValues.length - place)))
    adjusted[index] = highest
  }
  return adjusted
}
