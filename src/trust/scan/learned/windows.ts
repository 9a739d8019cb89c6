import type { Token } from './tokens.ts'

/** Tokens of which the model is asked at once: a sentence, or two that follow each other. */
export type Window = readonly Token[]

/** Tokens; longer sentences are cut into pieces that overlap. */
const longest = 48
const stride = 32
const shortest = 3

/** Each sentence and each pair of neighbours, in order. The work is linear in the tokens. */
export function windowsOf(sentences: readonly (readonly Token[])[]): readonly Window[] {
  const pieces = sentences.flatMap(piecesOf)
  return pieces.flatMap((piece, at) => {
    const next = pieces[at + 1]
    const pair =
      next === undefined || piece.length + next.length > longest + stride ? [] : [[...piece, ...next]]
    return piece.length < shortest ? pair : [piece, ...pair]
  })
}

function piecesOf(sentence: readonly Token[]): readonly (readonly Token[])[] {
  if (sentence.length <= longest) return [sentence]
  const pieces: (readonly Token[])[] = []
  for (let from = 0; from + longest - stride < sentence.length; from += stride)
    pieces.push(sentence.slice(from, from + longest))
  return pieces
}
