/**
 * Chooses some of many texts so that all of what they speak of is covered: clusters, about as many as the root of their number; a budget
 * for each, so that small ones are not starved; in each the text nearest to the middle, then again and again the one that is farthest
 * from all that were chosen.
 *
 * @param vectors - of the texts, of one length
 * @param budget - how many to choose; all when there are no more
 * @returns places, ascending
 * @see AgentSelect, ICML 2026, appendix E, which leaves clusters and budgets open; Zheng et al., ICLR 2023, for the budgets
 */
export function coveragePrototypes(vectors: readonly Float32Array[], budget: number): readonly number[] {
  const clusters = [...bisected(vectors, Math.ceil(Math.sqrt(vectors.length)))].sort(
    (a, b) => a.members.length - b.members.length || a.members[0]! - b.members[0]!,
  )
  let left = Math.min(budget, vectors.length)
  return clusters
    .flatMap((cluster, place) => {
      // What a small cluster cannot use is left to those behind it.
      const share = Math.min(cluster.members.length, Math.ceil(left / (clusters.length - place)))
      left -= share
      return spreadOver(cluster, vectors, share)
    })
    .sort((a, b) => a - b)
}

type Cluster = {
  readonly members: readonly number[]
  readonly middle: Float32Array
  /** Sum of squared distances to the middle. */
  readonly scatter: number
}

/** Turns of 2-means. Splits hardly change after these. */
const turns = 8

/** Hierarchical clusters from above: the one that scatters most is split in two, until there are enough. */
export function bisected(vectors: readonly Float32Array[], count: number): readonly Cluster[] {
  if (vectors.length === 0) return []
  const clusters = [clusterOf([...vectors.keys()], vectors)]
  while (clusters.length < count) {
    const widest = clusters.reduce(
      (best, { scatter }, place) => (scatter > clusters[best]!.scatter ? place : best),
      0,
    )
    const halves = halved(clusters[widest]!, vectors)
    if (halves === null) break
    clusters.splice(widest, 1, ...halves)
  }
  return clusters
}

function halved({ members, middle }: Cluster, vectors: readonly Float32Array[]): [Cluster, Cluster] | null {
  const first = farthest(members, (member) => distance(vectors[member]!, middle))
  const second = farthest(members, (member) => distance(vectors[member]!, vectors[first]!))
  let [a, b] = [vectors[first]!, vectors[second]!]
  for (let turn = 0; turn < turns; turn += 1) {
    const isNearA = (member: number): boolean =>
      distance(vectors[member]!, a) <= distance(vectors[member]!, b)
    const left = members.filter(isNearA)
    if (left.length === 0 || left.length === members.length) return null
    const halves = [left, members.filter((member) => !isNearA(member))] as const
    if (turn === turns - 1) return [clusterOf(halves[0], vectors), clusterOf(halves[1], vectors)]
    ;[a, b] = [meanOf(halves[0], vectors), meanOf(halves[1], vectors)]
  }
  return null
}

function clusterOf(members: readonly number[], vectors: readonly Float32Array[]): Cluster {
  const middle = meanOf(members, vectors)
  return { members, middle, scatter: members.reduce((sum, at) => sum + distance(vectors[at]!, middle), 0) }
}

/** The member nearest to the mean has the least squared distances to all: it is the medoid. */
function spreadOver({ members, middle }: Cluster, vectors: readonly Float32Array[], count: number): number[] {
  if (count === 0) return []
  const chosen = [farthest(members, (member) => -distance(vectors[member]!, middle))]
  const gaps = members.map(() => Number.POSITIVE_INFINITY)
  while (chosen.length < count) {
    const last = vectors[chosen.at(-1)!]!
    for (const [place, member] of members.entries())
      gaps[place] = Math.min(gaps[place]!, distance(vectors[member]!, last))
    // A text that was chosen is at no distance, and so is one that equals it: these come last, each once.
    const open = [...members.keys()].filter((place) => !chosen.includes(members[place]!))
    chosen.push(members[open.reduce((best, place) => (gaps[place]! > gaps[best]! ? place : best), open[0]!)]!)
  }
  return chosen
}

const farthest = (members: readonly number[], of: (member: number) => number): number => {
  let best = members[0]!
  let most = of(best)
  for (const member of members) {
    const value = of(member)
    if (value > most) [best, most] = [member, value]
  }
  return best
}

function meanOf(members: readonly number[], vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]!.length)
  for (const member of members) for (let at = 0; at < mean.length; at += 1) mean[at]! += vectors[member]![at]!
  return mean.map((value) => value / members.length)
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at]! - b[at]!) ** 2
  return sum
}
