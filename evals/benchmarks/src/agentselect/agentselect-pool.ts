import { createHash } from 'node:crypto'
import { xoshiro128 } from '../../../../src/evaluation/statistics/seeded-random.ts'

/**
 * The candidates a query is ranked over: its positives and agents drawn at random, shuffled. Only the query's id, the
 * seed and the set of agents determine them: a digest seeds the draw, never a hash that differs between runs.
 *
 * @param agents - all agents in a fixed order, at most 2^20
 * @param positives - members of `agents`
 * @returns `size` ids, or all agents when there are no more; every positive is among them
 */
export function candidatePool(
  query: string,
  positives: readonly string[],
  agents: readonly string[],
  size: number,
  seed: string,
): readonly string[] {
  const random = xoshiro128(wordsOf(createHash('sha256').update(`${seed}\n${query}`).digest()))
  const pool = new Set(positives)
  if (agents.length <= size) for (const agent of agents) pool.add(agent)
  while (pool.size < Math.min(size, agents.length)) pool.add(agents[random.below(agents.length)]!)
  const shuffled = [...pool]
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1)
    const swapped = shuffled[last]!
    shuffled[last] = shuffled[other]!
    shuffled[other] = swapped
  }
  return shuffled
}

const wordsOf = (digest: Buffer): readonly number[] => [0, 4, 8, 12].map((at) => digest.readUInt32BE(at))
