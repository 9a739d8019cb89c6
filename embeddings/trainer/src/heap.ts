/** A queue that gives the first by an order. */
type Heap<Item> = {
  push(item: Item): void
  /** The first of all that were pushed and not popped; undefined when none is left. */
  pop(): Item | undefined
}

/** A binary heap. */
export function heapOf<Item>(isBefore: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = []
  return {
    push(item) {
      let place = items.length
      while (place > 0) {
        const parent = (place - 1) >> 1
        if (!isBefore(item, items[parent]!)) break
        items[place] = items[parent]!
        place = parent
      }
      items[place] = item
    },
    pop() {
      const top = items[0]
      const last = items.pop()
      if (last === undefined || items.length === 0) return top
      let place = 0
      for (;;) {
        let child = 2 * place + 1
        if (child >= items.length) break
        if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child += 1
        if (!isBefore(items[child]!, last)) break
        items[place] = items[child]!
        place = child
      }
      items[place] = last
      return top
    },
  }
}
