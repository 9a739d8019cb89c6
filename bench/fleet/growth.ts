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

/** A power of the number of cards, between none and the first: searches read postings and vectors, and much of them is fixed. */
export function powerGrowth([few, many]: readonly [Point, Point]): Growth {
  const power = Math.min(1, Math.max(0, Math.log(many.value / few.value) / Math.log(many.cards / few.cards)))
  return {
    at: (cards) => many.value * (cards / many.cards) ** power,
    reaches: (limit) =>
      power === 0 ? Number.POSITIVE_INFINITY : many.cards * (limit / many.value) ** (1 / power),
  }
}
