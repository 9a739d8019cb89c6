/** What became of candidates between two rankings of the same queries. */
export type RankChanges = {
  /** Pairs of a query and a candidate that were compared. */
  readonly compared: number
  readonly rose: number
  readonly same: number
  readonly fell: number
  /** The worst falls, at most five. */
  readonly worst: readonly Fall[]
}

/** Ranks count from 1; null: no longer among the candidates. */
type Fall = {
  readonly query: string
  readonly id: string
  readonly before: number
  readonly after: number | null
}

const shownFalls = 5

/** Gathers rank changes query by query. */
export function rankChanges(): {
  add(query: string, before: readonly string[], after: readonly string[], ids: Iterable<string>): void
  summary(): RankChanges
} {
  let [rose, same] = [0, 0]
  const falls: Fall[] = []
  return {
    add(query, before, after, ids) {
      const [placeBefore, placeAfter] = [placesOf(before), placesOf(after)]
      for (const id of ids) {
        const [was, is] = [placeBefore.get(id), placeAfter.get(id)]
        // Who was not among the candidates cannot fall.
        if (was === undefined) continue
        if (is !== undefined && is < was) rose += 1
        else if (is === was) same += 1
        else falls.push({ query, id, before: was, after: is ?? null })
      }
    },
    summary() {
      const depth = ({ before, after }: Fall): number => (after ?? Number.POSITIVE_INFINITY) - before
      const worst = falls.toSorted((a, b) => depth(b) - depth(a)).slice(0, shownFalls)
      return { compared: rose + same + falls.length, rose, same, fell: falls.length, worst }
    },
  }
}

const placesOf = (ids: readonly string[]): ReadonlyMap<string, number> =>
  new Map(ids.map((id, at) => [id, at + 1]))
