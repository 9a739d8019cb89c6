import type { Dataset, DatasetPart } from './dataset.ts'

/**
 * Keeps at most so many queries of a dataset: every part gets the same share, small parts whole, and of a large part
 * queries at even distances, so that the choice is the same at every run.
 *
 * @param most - queries kept over all parts. Integer >= 1
 * @returns the dataset itself when it has no more; else one whose notes say what was left out. All parts stay: their
 *   cards belong to the joined corpus
 */
export function limitQueries(dataset: Dataset, most: number): Dataset {
  const total = dataset.parts.reduce((sum, { queries }) => sum + queries.length, 0)
  if (total <= most) return dataset
  const kept = fairShares(dataset.parts, most)
  const parts = dataset.parts.map(
    (part): DatasetPart => ({ ...part, queries: evenlySpaced(part.queries, kept.get(part.name)!) }),
  )
  const note = `Only ${most} of ${total} queries were run, spread evenly over the parts: figures are rough.`
  return { ...dataset, parts, notes: [...dataset.notes, note] }
}

/** Queries each part may keep: smallest part first, so that what it leaves goes to the larger ones. */
function fairShares(parts: readonly DatasetPart[], most: number): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  let left = most
  const smallestFirst = [...parts].sort((a, b) => a.queries.length - b.queries.length)
  smallestFirst.forEach(({ name, queries }, place) => {
    const share = Math.min(queries.length, Math.floor(left / (parts.length - place)))
    shares.set(name, share)
    left -= share
  })
  return shares
}

const evenlySpaced = <T>(list: readonly T[], count: number): readonly T[] =>
  count === list.length
    ? list
    : Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!)
