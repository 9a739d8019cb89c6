/** Dice below which two ids have nothing to do with each other. */
const leastAlike = 0.25

/** Character trigrams of an id, lower-cased, with its ends marked. */
function trigrams(text: string): Set<string> {
  const marked = `  ${text.toLowerCase()} `
  return new Set(Array.from({ length: marked.length - 2 }, (_, index) => marked.slice(index, index + 3)))
}

/**
 * Ids that share the most character trigrams (Dice) with a mistyped one, best first. Ids without a common part are left
 * out.
 */
export function closestIds(ids: Iterable<string>, id: string, limit: number): string[] {
  const wanted = trigrams(id)
  const scored: { id: string; score: number }[] = []
  for (const known of ids) {
    const parts = trigrams(known)
    let common = 0
    for (const part of wanted) if (parts.has(part)) common += 1
    const score = (2 * common) / (wanted.size + parts.size)
    if (score >= leastAlike) scored.push({ id: known, score })
  }
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return scored.slice(0, limit).map(({ id: known }) => known)
}
