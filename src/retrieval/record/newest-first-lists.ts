import { growingColumn } from './task-vectors.ts'

/** The outcomes of a card: the place of its newest, or -1. */
type OutcomeList = { newest: number }

/**
 * Of each card its outcomes, newest first, whatever order they come in.
 *
 * @param days - when each outcome was, by its place
 */
export function newestFirstLists(days: { readonly values: Float64Array }) {
  const ids: string[] = []
  /** The next older outcome of the same card, or -1. */
  const earlier = growingColumn((length) => new Int32Array(length))

  /** By time, equal times by id: what a search sums up is the same in whichever order outcomes came. */
  const isNewer = (a: number, b: number): boolean =>
    days.values[a]! > days.values[b]! || (days.values[a] === days.values[b] && ids[a]! > ids[b]!)

  return {
    /** Takes in the next outcome, whose day is known. */
    insert(list: OutcomeList, id: string): void {
      ids.push(id)
      const at = earlier.push(-1)
      let newer = -1
      let older = list.newest
      while (older >= 0 && isNewer(older, at)) {
        newer = older
        older = earlier.values[older]!
      }
      earlier.values[at] = older
      if (newer < 0) list.newest = at
      else earlier.values[newer] = at
    },
    /** Places from the newest on. @param most - of them */
    latest(newest: number, most: number): Int32Array {
      const places = new Int32Array(most)
      const { values: next } = earlier
      let count = 0
      for (let at = newest; at >= 0 && count < most; at = next[at]!) {
        places[count] = at
        count += 1
      }
      return places.subarray(0, count)
    },
  }
}
