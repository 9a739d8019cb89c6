/** Groups in the order in which their keys first come. `Map.groupBy`, which Node 20 lacks. */
export function grouped<T, Key>(list: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of list) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Slices of at most `size` items, in order. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** The first place of a range of which something is so, where it is so of all after it; its end where it is of none. */
export function firstPlace(from: number, to: number, isSo: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isSo(middle)) high = middle
    else low = middle + 1
  }
  return low
}
