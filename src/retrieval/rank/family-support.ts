/** What the company a candidate keeps says of it. */
type FamilySupport = {
  /** Share of the first candidates' weight that other cards of its family hold, 0..1. */
  readonly share: number
  /** Logarithm of that share against the family's share of the catalog. */
  readonly lift: number
}

/** Candidates that speak for their families, the better ranked the more. */
const speakers = 30
const weightOf = (rank: number): number => 1 / (5 + rank)
/** Keeps families of few cards from looking like strong evidence. */
const damping = 0.02

/**
 * A request that finds many cards of one server is likely meant for that server: the resource selection of federated
 * search, from the ranking itself.
 *
 * @param families - of the candidates, best ranked first
 * @param catalogShare - share of all cards that belong to a family, 0..1
 * @see Shokouhi, "Central-rank-based collection selection" (CRCS), ECIR 2007
 */
export function familySupport(
  families: ArrayLike<number>,
  catalogShare: (family: number) => number,
): readonly FamilySupport[] {
  const held = new Map<number, number>()
  let total = 0
  for (let rank = 0; rank < Math.min(speakers, families.length); rank++) {
    held.set(families[rank]!, (held.get(families[rank]!) ?? 0) + weightOf(rank))
    total += weightOf(rank)
  }
  return Array.from(families, (family, rank) => {
    const own = rank < speakers ? weightOf(rank) : 0
    const others = total - own
    const share = others > 0 ? Math.max(0, (held.get(family) ?? 0) - own) / others : 0
    return { share, lift: Math.log((share + damping) / (catalogShare(family) + damping)) }
  })
}
