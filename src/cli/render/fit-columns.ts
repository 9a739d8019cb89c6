/** A column of a table: what its widest cell needs, and the least it can do with. */
export type ColumnNeed = {
  /** Columns of the terminal its widest cell takes. Integer >= 0. */
  readonly natural: number
  /** The least that still says something; `natural` or more means that it never shrinks. */
  readonly least: number
}

/**
 * Shares a terminal's width between columns. No column gets more than it needs; when the room is short, the widest
 * give first, evenly, and none below its least.
 *
 * @param total - the room for all columns, gaps not counted
 * @returns one width per column, or null when even the least of all does not fit: lay the rows out otherwise
 */
export function fitColumns(needs: readonly ColumnNeed[], total: number): readonly number[] | null {
  const least = needs.map(({ natural, least }) => Math.min(natural, least))
  if (sum(least) > total) return null
  const widths = needs.map(({ natural }) => natural)
  let excess = sum(widths) - total
  while (excess > 0) {
    const givers = widths.map((_, index) => index).filter((index) => widths[index]! > least[index]!)
    const widest = Math.max(...givers.map((index) => widths[index]!))
    const tops = givers.filter((index) => widths[index] === widest)
    const next = Math.max(
      ...givers.filter((index) => widths[index]! < widest).map((index) => widths[index]!),
      ...tops.map((index) => least[index]!),
    )
    for (const index of tops) {
      const give = Math.min(widest - next, Math.ceil(excess / tops.length), excess)
      widths[index] = widest - give
      excess -= give
    }
  }
  return widths
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
