import type { TokenTexts } from './contrastive/texts.ts'

/**
 * First token weights, as logarithms: the rarer a token among the texts, the more it counts.
 *
 * @param strength - 0 gives every token the same weight
 * @returns per token of the vocabulary
 */
export function idfWeights(
  { tokens, starts }: TokenTexts,
  vocabulary: number,
  strength: number,
): Float32Array {
  const texts = starts.length - 1
  const holding = new Float64Array(vocabulary)
  const lastSeen = new Int32Array(vocabulary).fill(-1)
  for (let text = 0; text < texts; text += 1)
    for (let at = starts[text]!; at < starts[text + 1]!; at += 1) {
      const token = tokens[at]!
      if (lastSeen[token] === text) continue
      lastSeen[token] = text
      holding[token] = holding[token]! + 1
    }
  // A token in every text counts little, but something: a name may consist of such alone.
  return Float32Array.from(
    holding,
    (count) => strength * Math.log(Math.log(1 + texts / (1 + count)) / 4 + 0.02),
  )
}
