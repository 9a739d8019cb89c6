/** Groups in the order in which their keys first come. `Map.groupBy`, which Node 20 lacks. */
export function grouped<T, Key>(list: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of list) addTo(groups, keyOf(item), item)
  return groups
}

/** Adds to the list of a key, which begins with it. */
export function addTo<T, Key>(lists: Map<Key, T[]>, key: Key, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** How often each is among some. */
export function countsOf<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
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
