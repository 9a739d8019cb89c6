import type { Card } from '../domain/card.ts'
import { quantile } from '../evaluation/statistics/bootstrap.ts'
import { randomOf } from '../probing/writing/schema-arguments.ts'
import type { GeneratedTask } from './generated-task.ts'
import type { PoolCosines, Shop, Single } from './shop.ts'
import { makeSingles } from './singles.ts'
import { centroid, dot, isAmong } from './texts.ts'

/** Most cards of a pool; of a small catalog a third, since all of it has no centre. */
const poolSize = 100
const leastPool = 30
/**
 * Least cosine of a query to the centre of its pool. Of an embedding whose cosines are smaller, as those of the built-in one are, the
 * nearer half of the pool stays in its place.
 */
const leastCosine = 0.8
/** Anchors that are tried for each goal wanted. */
const mostAnchors = 3
const partCount = 10
const criterionCount = 5
/** Parts that a criterion is meant to have: more of them take from the score of the next. */
const fairShare = partCount / criterionCount

/**
 * Makes goals that cannot be run as they are, each with ten queries that can: of an anchor and what is most like it, the queries that lie
 * near their centre, a goal behind them with five criteria, and the ten that share these out best.
 *
 * @see AgentSearchBench, 2026, section 3: task descriptions
 */
export async function makeDescriptions(shop: Shop): Promise<void> {
  const { count, targets, seed } = shop.order
  const anchors = randomOf(`${seed} anchors`)
    .shuffled(targets)
    .slice(0, count * mostAnchors)
  for (const anchor of anchors) {
    if (shop.made.length >= count) break
    const task = await descriptionOf(anchor, shop)
    if (task !== null) shop.add(task)
    shop.order.onProgress({ done: shop.made.length, total: count, what: 'describing goals' })
  }
}

async function descriptionOf(anchor: Card, shop: Shop): Promise<Omit<GeneratedTask, 'id'> | null> {
  const alike = [...shop.ground.cards.values()].filter(({ kind }) => kind === anchor.kind).length
  const size = Math.min(poolSize, Math.max(leastPool, Math.ceil(alike / 3)))
  const pool = [anchor, ...(await shop.nearest(anchor, size - 1))]
  const near = await nearCentre(await singlesOf(pool, shop), anchor, shop)
  if (near.length < partCount)
    return shop.drop('too-few-parts', anchor.id, { why: `${near.length} of ${partCount} queries` })
  const targets = near.map(({ target }) => target)
  const made = await shop.ask('goal', { tasks: near.map(({ task }) => task), targets })
  if (made === null || made.criteria.length !== criterionCount) return shop.drop('no-answer', anchor.id)
  const { goal: text, criteria } = made
  const judged = shop.cardsOf(near)
  const fault = shop.faultOf(text, judged) ?? faultOfAny(criteria, judged, shop)
  if (fault !== null) return shop.drop(fault.reason, anchor.id, { text, why: fault.why })
  const earlier = shop.made.map(({ query }) => query)
  if (isAmong(text, earlier)) return shop.drop('duplicate', anchor.id, { text })
  const met = await shop.all(
    near,
    async ({ task, target }) => (await shop.ask('meets', { task, target, criteria }))?.meets ?? [],
  )
  const chosen = chooseParts(met)
  return {
    query: text,
    expected: gradesOf(chosen.map((place) => near[place]!)),
    kind: anchor.kind,
    group: 'description',
    by: shop.ground.writer.name,
    needs: chosen.map((place) => near[place]!.expected),
    parts: chosen.map((place) => ({ query: near[place]!.task, expected: near[place]!.expected })),
    rubric: criteria.map((criterion, at) => ({
      criterion,
      parts: chosen.flatMap((place, part) => (met[place]?.[at] === true ? [part] : [])),
    })),
  }
}

const faultOfAny = (texts: readonly string[], shown: readonly Card[], shop: Shop) =>
  texts.map((text) => shop.faultOf(text, shown)).find((fault) => fault !== null) ?? null

/** One query for each card of the pool; cards of several pools have theirs written once. */
async function singlesOf(pool: readonly Card[], shop: Shop): Promise<readonly Single[]> {
  const fresh = pool.filter(({ id }) => !shop.singles.has(id))
  for (const { id } of fresh) shop.singles.set(id, null)
  for (const single of await makeSingles({ count: fresh.length, targets: fresh, turns: 1 }, shop))
    shop.singles.set(single.target.id, single)
  return pool.flatMap(({ id }) => shop.singles.get(id) ?? [])
}

async function nearCentre(singles: readonly Single[], { id }: Card, shop: Shop): Promise<readonly Single[]> {
  const vectors = await shop.ground.vectors.of(singles.map(({ task }) => task))
  const centre = centroid(vectors)
  const cosines = vectors.map((vector) => dot(vector, centre))
  const median = [...cosines].sort((a, b) => b - a)[Math.floor(cosines.length / 2)] ?? 0
  const least = Math.min(leastCosine, median)
  shop.pools.push({ cosines, least })
  return singles.filter(({ task }, place) => {
    const cosine = cosines[place]!
    if (cosine >= least) return true
    const why = `its cosine is ${cosine.toFixed(2)}, the least ${least.toFixed(2)}`
    shop.drop('far-from-centre', id, { text: task, why })
    return false
  })
}

/** How near queries lie to the centres of their pools. */
export type CosineReport = {
  /** What made the vectors. */
  readonly by: string
  /** As the paper has it. */
  readonly wanted: number
  readonly queries: number
  /** Queries that reached it. */
  readonly reached: number
  readonly quartiles: { readonly [name in 'least' | 'lower' | 'median' | 'upper' | 'most']: number }
  /** Pools, those in whose place of it the median stood, and the smallest and largest least cosine of a pool. */
  readonly pools: number
  readonly byMedian: number
  readonly used: readonly [smallest: number, largest: number]
}

/** Undefined where there was no pool. */
export function cosineReport(pools: readonly PoolCosines[], by: string): CosineReport | undefined {
  if (pools.length === 0) return undefined
  const all = pools.flatMap(({ cosines }) => cosines)
  const used = pools.map(({ least }) => least)
  const at = (share: number): number => quantile(all, share)
  return {
    by,
    wanted: leastCosine,
    queries: all.length,
    reached: all.filter((cosine) => cosine >= leastCosine).length,
    quartiles: { least: at(0), lower: at(0.25), median: at(0.5), upper: at(0.75), most: at(1) },
    pools: pools.length,
    byMedian: used.filter((least) => least < leastCosine).length,
    used: [Math.min(...used), Math.max(...used)],
  }
}

/**
 * Chooses ten queries one after another: the best by the share of criteria it meets, less what its criteria have been chosen for beyond
 * their share of two each.
 *
 * @param met - of each query, which criteria it meets
 * @returns places of the chosen, in the order of choice
 */
export function chooseParts(met: readonly (readonly boolean[])[]): readonly number[] {
  const chosen: number[] = []
  const taken = Array.from({ length: criterionCount }, () => 0)
  while (chosen.length < Math.min(partCount, met.length)) {
    const scored = met.map((own, place) => {
      const share = own.filter(Boolean).length / criterionCount
      const over = taken.reduce((sum, times, at) => sum + (own[at] ? Math.max(0, times - fairShare) : 0), 0)
      return { place, score: chosen.includes(place) ? Number.NEGATIVE_INFINITY : share - over }
    })
    const best = scored.reduce((one, other) => (other.score > one.score ? other : one))
    chosen.push(best.place)
    for (const [at, is] of met[best.place]!.entries()) if (is) taken[at]! += 1
  }
  return chosen
}

/** The grade of a card is the number of parts that it serves. */
function gradesOf(parts: readonly Single[]): GeneratedTask['expected'] {
  const grades: { [id: string]: number } = {}
  for (const { expected } of parts) for (const id of expected) grades[id] = (grades[id] ?? 0) + 1
  return grades
}
