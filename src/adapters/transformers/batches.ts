/** Texts of like length share a batch, so that little is computed for padding. */
export const shortestFirst = (texts: readonly string[]): readonly number[] =>
  [...texts.keys()].sort((a, b) => texts[a]!.length - texts[b]!.length || a - b)

/** Cuts a list of positions into batches of at most so many. */
export function* batches(indexes: readonly number[], size: number): Generator<readonly number[]> {
  for (let start = 0; start < indexes.length; start += size) yield indexes.slice(start, start + size)
}
