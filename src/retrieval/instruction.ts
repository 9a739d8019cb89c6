import { analyzeQuery, type QueryTerm } from './analyze.ts'

/**
 * What an instruction or a context counts beside the request itself, which counts 1. Chosen on requests of the training sets with
 * instructions that name what is wanted, that name something else, and that name nothing: docs/decisions/0005-static-embedding.md.
 */
export const instructionWeights = {
  /** Of each of its terms that the request does not have; what is added is divided by the number of the request's terms. */
  lexical: 0.2,
  lexicalAdded: 0.4,
  /** Of its vector, in the sum of both. */
  dense: 0.5,
  /** Of what a learned ranker makes of it by itself, in log-odds, and by how much that may put a candidate back. */
  learned: 0.6,
  most: 2.5,
  /** From this probability of its best candidate on it counts in full: below, it hardly names anything that is here. */
  telling: 0.4,
  /** Both numbers are divided by this where the request by itself finds nothing, and by 1 where it is sure. */
  unsure: 0.5,
} as const

/** Terms of a request and, with less weight, those that only its instruction has. */
export function instructedTerms(request: string, instruction: string): readonly QueryTerm[] {
  const own = analyzeQuery(request)
  const known = new Set(own.map(({ term }) => term))
  const added = analyzeQuery(instruction).filter(({ term }) => !known.has(term))
  const { lexical, lexicalAdded } = instructionWeights
  const weight = lexical + lexicalAdded / Math.max(1, own.length)
  return [...own, ...added.map((term) => ({ ...term, weight }))]
}

/** The unit vector between those of a request and of its instruction. */
export function instructedVector(request: Float32Array, instruction: Float32Array | null): Float32Array {
  if (instruction === null) return request
  const sum = request.map((value, at) => value + instructionWeights.dense * instruction[at]!)
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((value) => value / length) : request
}

/**
 * What an instruction takes from the log-odds of candidates, 0 or less: nothing from those it speaks for most. So the order of
 * candidates that it does not tell apart stays. It counts as far as it names something that is here, and the more the less the
 * request itself tells.
 *
 * @param scores - of the candidates for the instruction by itself, in log-odds
 * @param sureness - probabilities of the best candidate, for the instruction and for the request by itself
 */
export function instructionShare(
  scores: ArrayLike<number>,
  sureness: { readonly instruction: number; readonly request: number },
): Float64Array {
  const { learned, most, telling, unsure } = instructionWeights
  const factor = Math.min(1, sureness.instruction / telling) / (unsure + (1 - unsure) * sureness.request)
  let best = Number.NEGATIVE_INFINITY
  for (let place = 0; place < scores.length; place++) best = Math.max(best, scores[place]!)
  return Float64Array.from(scores, (score) => Math.max(-most, learned * (score - best)) * factor)
}
