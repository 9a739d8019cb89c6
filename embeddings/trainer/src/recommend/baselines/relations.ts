import { parameter } from '../tower/adam.ts'
import type { Matrices } from '../tower/matrices.ts'
import { layerStart, pushOf, smallNumbers } from './bpr.ts'
import type { Edges } from './edges.ts'

/** One kind of edge: what each head has. */
export type Relation = { readonly heads: readonly number[]; readonly tails: readonly number[] }

/** A fact: a head has a tail, and not the other. */
export type Fact = readonly [relation: number, head: number, tail: number, other: number]

/**
 * A space per relation. Facts say what vectors are near in it (TransR), and how much a head listens to a tail.
 *
 * @see Wang et al., KDD 2019 (KGAT), equations 1, 2, 4 and 5
 */
export function openRelations(
  matrices: Matrices,
  {
    nodes,
    width,
    relations,
  }: { readonly nodes: number; readonly width: number; readonly relations: readonly Relation[] },
  random: () => number,
) {
  const spaces = relations.map(() => parameter(layerStart(width, width, random), width))
  const shifts = relations.map(() => parameter(smallNumbers(width, random), width))
  const [start, space, seen] = [
    matrices.take(nodes, width),
    matrices.take(width, width),
    matrices.take(nodes, width),
  ]
  return {
    parameters: [...spaces, ...shifts],
    /** Every tail to its head, weighed by a softmax over all tails of the head. */
    attention(values: Float32Array): Edges {
      start.values.set(values)
      const scores = relations.flatMap(({ heads, tails }, place) => {
        space.values.set(spaces[place]!.values)
        matrices.multiply(start, space, seen)
        const shift = shifts[place]!.values
        return heads.map((head, at) => {
          const [h, t] = [head * width, tails[at]! * width]
          let score = 0
          for (let d = 0; d < width; d += 1)
            score += seen.values[t + d]! * Math.tanh(seen.values[h + d]! + shift[d]!)
          return score
        })
      })
      const to = Uint32Array.from(relations.flatMap(({ heads }) => heads))
      const from = Uint32Array.from(relations.flatMap(({ tails }) => tails))
      return { from, to, weights: softmaxByHead(scores, to, nodes) }
    },
    /**
     * Gathers gradients of the spaces.
     *
     * @returns the mean loss, and its gradient by the vectors of the nodes
     */
    learn(
      values: Float32Array,
      facts: readonly Fact[],
    ): { readonly loss: number; readonly gradient: Float32Array } {
      const gradient = new Float32Array(values.length)
      let loss = 0
      for (const fact of facts) loss += learnFact(values, { fact, gradient, share: 1 / facts.length })
      return { loss, gradient }
    },
  }

  function learnFact(
    values: Float32Array,
    {
      fact,
      gradient,
      share,
    }: { readonly fact: Fact; readonly gradient: Float32Array; readonly share: number },
  ): number {
    const [relation, head, ...tails] = fact
    const [own, shift] = [spaces[relation]!, shifts[relation]!]
    const apart = tails.map((tail) => {
      const difference = values
        .subarray(head * width, (head + 1) * width)
        .map((value, d) => value - values[tail * width + d]!)
      const moved = Float32Array.from(shift.values)
      for (let i = 0; i < width; i += 1)
        for (let d = 0; d < width; d += 1) moved[d]! += difference[i]! * own.values[i * width + d]!
      return { tail, difference, moved, distance: moved.reduce((sum, value) => sum + value * value, 0) }
    })
    const margin = apart[1]!.distance - apart[0]!.distance
    const push = share * pushOf(margin)
    shift.touched.add(0)
    for (let row = 0; row < width; row += 1) own.touched.add(row)
    for (const [side, { tail, difference, moved }] of apart.entries()) {
      const by = 2 * (side === 0 ? -push : push)
      for (let d = 0; d < width; d += 1) shift.gradients[d]! += by * moved[d]!
      for (let i = 0; i < width; i += 1) {
        let back = 0
        for (let d = 0; d < width; d += 1) {
          own.gradients[i * width + d]! += by * difference[i]! * moved[d]!
          back += by * moved[d]! * own.values[i * width + d]!
        }
        gradient[head * width + i]! += back
        gradient[tail * width + i]! -= back
      }
    }
    return share * Math.log1p(Math.exp(-margin))
  }
}

function softmaxByHead(scores: readonly number[], heads: Uint32Array, nodes: number): Float32Array {
  const most = new Float64Array(nodes).fill(Number.NEGATIVE_INFINITY)
  for (const [edge, head] of heads.entries()) most[head] = Math.max(most[head]!, scores[edge]!)
  const sums = new Float64Array(nodes)
  const shares = Float32Array.from(scores, (score, edge) => Math.exp(score - most[heads[edge]!]!))
  for (const [edge, head] of heads.entries()) sums[head]! += shares[edge]!
  return shares.map((share, edge) => share / sums[heads[edge]!]!)
}
