import { randomOf } from '../probing/writing/schema-arguments.ts'
import type { Shop, Single } from './shop.ts'
import { makeSingles, singleTask } from './singles.ts'
import { dot } from './texts.ts'

/** Queries that are written for each tool, of which the clustering leaves about one. */
const perTool = 2

/** The pattern of ToolRet's instructions. */
const pattern = /^Given an? .+ task, retrieve \w+ that /

/**
 * Makes queries with instructions: queries are clustered, as many clusters as there are tools or queries, and the one nearest each centre
 * stays. Its instruction is written with the expected cards in view, as ToolRet's were, and is marked so.
 *
 * @see Shi et al., ToolRet, ACL 2025, section 3
 */
export async function makeToolRet(shop: Shop): Promise<void> {
  const { count, seed } = shop.order
  const tools = randomOf(`${seed} tools`).shuffled(shop.order.targets).slice(0, count)
  const singles = await makeSingles({ count: tools.length * perTool, targets: tools }, shop)
  const vectors = await shop.ground.vectors.of(singles.map(({ task }) => task))
  const kept = new Set(kMeans(vectors, Math.min(singles.length, tools.length), seed))
  for (const [place, { target, task: text }] of singles.entries())
    if (!kept.has(place)) shop.drop('not-nearest', target.id, { text })
  const left = singles.filter((_, place) => kept.has(place))
  const instructed = await shop.all(left, (single) => instructionFor(single, shop))
  for (const [place, instruction] of instructed.entries())
    if (instruction !== null) shop.add({ ...singleTask(left[place]!, shop), instruction, targetInView: true })
  shop.order.onProgress({ done: shop.made.length, total: count, what: 'writing instructions' })
}

/** Written once more where it names a card. */
async function instructionFor(single: Single, shop: Shop): Promise<string | null> {
  const { target, task } = single
  const targets = [target, ...shop.cardsOf([single]).filter(({ id }) => id !== target.id)]
  let named: string | undefined
  for (;;) {
    const asked = { task, targets, ...(named === undefined ? {} : { fault: named }) }
    const text = (await shop.ask('instruction', asked))?.instruction
    if (text === undefined || !pattern.test(text))
      return shop.drop('no-answer', target.id, {
        text: task,
        why: 'its instruction is not of the form "Given a ... task, retrieve tools that ..."',
      })
    const fault = shop.faultOf(text, targets)
    // An instruction is written in view of the card, and may share its words.
    if (fault === null || fault.reason === 'copies-the-card') return text
    if (fault.reason !== 'names-a-card' || named !== undefined)
      return shop.drop(fault.reason, target.id, { text, why: fault.why })
    named = fault.why
  }
}

/** Rounds after which clusters hardly move. */
const mostRounds = 50

/**
 * Clusters vectors about k centres (k-means, its first centres spread out as k-means++ does) and gives the vector nearest to each.
 *
 * @param k - integer of 1..the number of vectors
 * @returns places of vectors, each once
 * @see Arthur & Vassilvitskii, SODA 2007
 */
export function kMeans(vectors: readonly Float32Array[], k: number, seed: number): readonly number[] {
  if (vectors.length === 0 || k === 0) return []
  let centres = firstCentres(vectors, k, seed)
  let assigned: readonly number[] = []
  for (let round = 0; round < mostRounds; round += 1) {
    const next = vectors.map((vector) => nearestOf(vector, centres))
    if (next.every((centre, place) => centre === assigned[place])) break
    assigned = next
    centres = centres.map((centre, at) => {
      const own = vectors.filter((_, place) => assigned[place] === at)
      return own.length === 0 ? centre : mean(own)
    })
  }
  const nearest = centres.map((centre, at) => {
    const own = vectors.flatMap((vector, place) =>
      assigned[place] === at ? [{ place, far: distance(vector, centre) }] : [],
    )
    return own.sort((a, b) => a.far - b.far || a.place - b.place)[0]?.place
  })
  return nearest.filter((place) => place !== undefined)
}

function firstCentres(vectors: readonly Float32Array[], k: number, seed: number): readonly Float32Array[] {
  const random = randomOf(`${seed} k-means`)
  const centres = [random.pick(vectors)]
  const far = vectors.map(() => Number.POSITIVE_INFINITY)
  while (centres.length < k) {
    for (const [place, vector] of vectors.entries())
      far[place] = Math.min(far[place]!, distance(vector, centres.at(-1)!))
    const total = far.reduce((sum, one) => sum + one, 0)
    let left = (random.whole(0, 999_999) / 1_000_000) * total
    const at = far.findIndex((one) => {
      left -= one
      return one > 0 && left < 0
    })
    centres.push(vectors[at < 0 ? centres.length % vectors.length : at]!)
  }
  return centres
}

const nearestOf = (vector: Float32Array, centres: readonly Float32Array[]): number =>
  centres.reduce(
    (best, centre, at) => {
      const far = distance(vector, centre)
      return far < best.far ? { at, far } : best
    },
    { at: 0, far: Number.POSITIVE_INFINITY },
  ).at

/** Squared. */
const distance = (one: Float32Array, other: Float32Array): number =>
  Math.max(0, dot(one, one) + dot(other, other) - 2 * dot(one, other))

function mean(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (const [place, value] of vector.entries()) sum[place]! += value
  return sum.map((value) => value / vectors.length)
}
