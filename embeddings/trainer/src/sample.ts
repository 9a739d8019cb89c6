/** Some of a list without replacement, in random order. */
export function sample<T>(list: readonly T[], most: number, random: () => number): readonly T[] {
  const copy = [...list]
  const count = Math.min(most, copy.length)
  for (let at = 0; at < count; at += 1) {
    const other = at + Math.floor(random() * (copy.length - at))
    const moved = copy[at]!
    copy[at] = copy[other]!
    copy[other] = moved
  }
  return copy.slice(0, count)
}
