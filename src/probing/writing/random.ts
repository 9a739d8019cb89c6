import { mulberry32, seedOf } from '../../domain/random.ts'

/** Draws that a seed determines, on every platform. */
export type Random = {
  /** Integer of least..most, both included. */
  whole(least: number, most: number): number
  /** A number of least..most with so many decimals. */
  decimal(least: number, most: number, decimals: number): number
  /** @throws RangeError when there is nothing to pick from */
  pick<Item>(items: readonly Item[]): Item
  /** So many different entries of a list, in the order of the list. */
  some<Item>(items: readonly Item[], count: number): readonly Item[]
  shuffled<Item>(items: readonly Item[]): readonly Item[]
}

/** @param seed - any text; each text gives draws of its own */
export function randomOf(seed: string): Random {
  const next = mulberry32(seedOf(seed))
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const shuffled = <Item>(items: readonly Item[]): readonly Item[] => {
    const left = [...items]
    return items.map(() => left.splice(whole(0, left.length - 1), 1)[0]!)
  }
  return {
    whole,
    decimal: (least, most, decimals) => whole(least * 10 ** decimals, most * 10 ** decimals) / 10 ** decimals,
    pick(items) {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.')
      return items[whole(0, items.length - 1)]!
    },
    some(items, count) {
      const chosen = new Set(shuffled(items.map((_, index) => index)).slice(0, count))
      return items.filter((_, index) => chosen.has(index))
    },
    shuffled,
  }
}
