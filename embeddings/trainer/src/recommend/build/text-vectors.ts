/** Makes unit vectors of requests. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** A neighbour by its place, and its cosine. */
export type Neighbour = { readonly place: number; readonly likeness: number }

/** The nearest of some unit vectors, best first; equal ones by their place. */
export function nearestTo(
  vector: Float32Array,
  others: readonly Float32Array[],
  { most, least }: { readonly most: number; readonly least: number },
): readonly Neighbour[] {
  const near: Neighbour[] = []
  for (const [place, other] of others.entries()) {
    let likeness = 0
    for (let at = 0; at < vector.length; at += 1) likeness += vector[at]! * other[at]!
    if (likeness >= least) near.push({ place, likeness })
  }
  return near.sort((a, b) => b.likeness - a.likeness || a.place - b.place).slice(0, most)
}
