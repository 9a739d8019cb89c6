import { analyzeQuery, type QueryTerm } from '../text/analyze.ts'

/**
 * What is said beside a request: an instruction says what is wanted ("retrieve tools that delete events"), a context tells of
 * the conversation, which is often about something else.
 */
export type BesideKind = 'instruction' | 'context'

/** A text beside a request, with its vector when a dense retriever takes part; null where the request's holds it. */
export type Beside = {
  readonly kind: BesideKind
  readonly text: string
  readonly vector: Float32Array | null
}

type BesideWeights = {
  /** Of each of its terms that the request does not have; what is added is divided by the number of the request's terms. */
  readonly lexical: number
  readonly lexicalAdded: number
  /** Of its vector, in the sum with the request's. */
  readonly dense: number
  /** Of what a learned ranker makes of it by itself, in log-odds, and by how much that may put a candidate back. */
  readonly learned: number
  readonly most: number
  /** What words count beside the learned ranker, the request's and its own together, in log-odds. */
  readonly words: number
  /** From this probability of its best candidate on it counts in full: below, it hardly names anything that is here. */
  readonly telling: number
  /** It is divided by this where the request by itself finds nothing, and by 1 where it is sure. */
  readonly unsure: number
}

/**
 * What each counts beside the request itself, which counts 1. Chosen on requests of the training sets with instructions that name
 * what is wanted and with contexts that name something else: docs/decisions/0005-static-embedding.md.
 */
export const besideWeights: { readonly [kind in BesideKind]: BesideWeights } = {
  instruction: {
    lexical: 0.42,
    lexicalAdded: 0.4,
    dense: 1,
    learned: 1,
    most: Number.POSITIVE_INFINITY,
    words: 5,
    telling: 0,
    unsure: 1,
  },
  context: {
    lexical: 0.2,
    lexicalAdded: 0.4,
    dense: 0.5,
    learned: 0.6,
    most: 2.5,
    words: 0,
    telling: 0.4,
    unsure: 0.5,
  },
}

/** Terms of a request and, with less weight, those that only what is said beside it has. */
export function termsWith(
  request: string,
  besides: readonly Pick<Beside, 'kind' | 'text'>[],
): readonly QueryTerm[] {
  const own = analyzeQuery(request)
  const terms = new Map<string, QueryTerm>(own.map((term) => [term.term, term]))
  for (const { kind, text } of besides) {
    const { lexical, lexicalAdded } = besideWeights[kind]
    const weight = lexical + lexicalAdded / Math.max(1, own.length)
    for (const added of analyzeQuery(text))
      if ((terms.get(added.term)?.weight ?? (terms.has(added.term) ? 1 : 0)) < weight)
        terms.set(added.term, { ...added, weight })
  }
  return [...terms.values()]
}

/** The unit vector between those of a request and of what is said beside it. */
export function vectorWith(request: Float32Array, besides: readonly Beside[]): Float32Array {
  const added = besides.filter(({ vector }) => vector !== null)
  if (added.length === 0) return request
  const sum = request.map((value, at) =>
    added.reduce((all, { kind, vector }) => all + besideWeights[kind].dense * vector![at]!, value),
  )
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((value) => value / length) : request
}

/**
 * What a text beside a request takes from the log-odds of candidates, 0 or less: nothing from those it speaks for most. So the
 * order of candidates that it does not tell apart stays. A context counts as far as it names something that is here, and the
 * more the less the request itself tells.
 *
 * @param scores - of the candidates for the text by itself, in log-odds
 * @param sureness - probabilities of the best candidate, for the text and for the request by itself
 */
export function takenBeside(
  kind: BesideKind,
  scores: ArrayLike<number>,
  sureness: { readonly beside: number; readonly request: number },
): Float64Array {
  const { learned, most, telling, unsure } = besideWeights[kind]
  const named = telling === 0 ? 1 : Math.min(1, sureness.beside / telling)
  const factor = named / (unsure + (1 - unsure) * sureness.request)
  let best = Number.NEGATIVE_INFINITY
  for (let place = 0; place < scores.length; place++) best = Math.max(best, scores[place]!)
  return Float64Array.from(scores, (score) => Math.max(-most, learned * (score - best)) * factor)
}

/**
 * What words count beside a learned ranker, in log-odds. A vector is a mean, and the words that are matched one by one are
 * the first 48: of a request in the middle of a long story both tell little, and words as much as ever. Chosen on stories
 * around requests of families that the ranker was trained without: docs/decisions/0005-static-embedding.md.
 */
const wordWeights = {
  /** Terms of a request up to which words count as the ranker weighs them. */
  from: 40,
  /** Added for each further term, and what is added at most. */
  perTerm: 0.2,
  most: 9,
} as const

/** What words count for a request of so many terms. */
export const wordWeight = (terms: number): number =>
  Math.min(wordWeights.most, wordWeights.perTerm * Math.max(0, terms - wordWeights.from))

/**
 * What words take from the log-odds of candidates, 0 or less: nothing from the best of them.
 *
 * @param scores - of the candidates by words, >= 0
 */
export function takenByWords(scores: readonly number[], weight: number): Float64Array {
  const best = Math.max(0, ...scores)
  return Float64Array.from(scores, (score) => (best > 0 ? weight * (score / best - 1) : 0))
}
