/** A figure at a number of cards. */
export type Point = { readonly cards: number; readonly value: number }

/** How a figure grows with cards. */
export type Growth = {
  at(cards: number): number
  /** The number of cards at which it reaches a limit; infinite when it never does. */
  reaches(limit: number): number
}

/** A fixed part and one for each card, by two sizes; neither falls. */
export function linearGrowth([few, many]: readonly [Point, Point]): Growth {
  const each = Math.max(0, (many.value - few.value) / (many.cards - few.cards))
  const fixedPart = Math.max(0, many.value - each * many.cards)
  return {
    at: (cards) => fixedPart + each * cards,
    reaches: (limit) => (each === 0 ? Number.POSITIVE_INFINITY : Math.max(0, (limit - fixedPart) / each)),
  }
}
