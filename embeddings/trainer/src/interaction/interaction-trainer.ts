import type { LearnedVectors } from '../../../../src/vectors/embedding/token-vectors.ts'
import { matchedLimits, mostQueryTokens, softScore } from '../../../../src/retrieval/rank/soft-match.ts'
import type { MatchedCard } from './interaction-texts.ts'

/** Learns token vectors and weights so that the cards that serve a query match it better, token by token, than others. */
type InteractionTrainer = {
  /**
   * One step of gradient descent.
   *
   * @param query - distinct tokens, at least one, as `interactionTexts` cuts them
   * @param cards - the first serves the query, the others do not; at least two, cut likewise
   * @param rate - learning rate, > 0
   * @returns cross-entropy of the first card among all, in nats
   */
  step(query: Uint32Array, cards: readonly MatchedCard[], rate: number): number
  /** As they are now: rows of length 1. */
  readonly vectors: LearnedVectors
}

/** What scores of 0..1 are multiplied with before the softmax. */
const temperature = 20
/** Share of a second loss that makes scores comparable across queries: whether each card serves, by itself. */
const absoluteShare = 0.3
/** Of that, what cards that do not serve count against the one that does. */
const othersShare = 1 / 3
/** The scaled score at which a card serves as likely as not, before anything is learned. */
const firstThreshold = 8
/** Weights and the threshold learn slower than vectors. */
const weightRate = 0.3
const thresholdRate = 0.02
/** Keeps Adagrad's first steps small. */
const firstSquares = 1e-3
/** Gradients below this change nothing worth the time. */
const least = 1e-4

/** How one card matches: for each token of one side its best cosine on the other, and with which token. */
type Match = {
  score: number
  coverage: number
  byName: number
  ofName: number
  nameWeight: number
  readonly best: Float32Array
  readonly bestWith: Int32Array
  readonly named: Float32Array
  readonly namedWith: Int32Array
  readonly asked: Float32Array
  readonly askedWith: Int32Array
}

/**
 * Late interaction is trained on the score that a search reckons with, by stochastic gradient descent with a step size per
 * token, one query at a time. Cosines below 0, which a search counts as 0, count here, so that tokens far apart can meet.
 *
 * @param start - vectors to begin with; those of length 0 stay
 * @see Khattab & Zaharia, ColBERT, arXiv 2004.12832, section 3.4; Duchi et al., JMLR 2011 (Adagrad)
 */
export function interactionTrainer(start: LearnedVectors): InteractionTrainer {
  const { dimensions } = start
  const table = Float32Array.from(start.table)
  const queryWeights = Float32Array.from(start.queryWeights)
  const documentWeights = Float32Array.from(start.documentWeights)
  const tokens = queryWeights.length
  const squares = {
    table: new Float32Array(tokens).fill(firstSquares),
    query: new Float32Array(tokens).fill(firstSquares),
    document: new Float32Array(tokens).fill(firstSquares),
  }
  let threshold = firstThreshold
  const weights = new Float64Array(mostQueryTokens)
  const matches: Match[] = []
  for (let token = 0; token < tokens; token += 1) toUnit(table, token * dimensions, dimensions)

  function match(query: Uint32Array, total: number, { name, text }: MatchedCard, into: Match): void {
    into.best.fill(0)
    into.named.fill(0)
    into.asked.fill(0)
    into.bestWith.fill(-1)
    into.namedWith.fill(-1)
    into.askedWith.fill(-1)
    for (let place = 0; place < name.length + text.length; place += 1) {
      const isName = place < name.length
      const token = isName ? name[place]! : text[place - name.length]!
      for (let at = 0; at < query.length; at += 1) {
        const cosine =
          query[at] === token ? 1 : dot(table, query[at]! * dimensions, token * dimensions, dimensions)
        if (into.bestWith[at] === -1 || cosine > into.best[at]!) {
          into.best[at] = cosine
          into.bestWith[at] = token
        }
        if (!isName) continue
        if (into.namedWith[at] === -1 || cosine > into.named[at]!) {
          into.named[at] = cosine
          into.namedWith[at] = token
        }
        if (into.askedWith[place] === -1 || cosine > into.asked[place]!) {
          into.asked[place] = cosine
          into.askedWith[place] = query[at]!
        }
      }
    }
    let covered = 0
    let byName = 0
    for (let at = 0; at < query.length; at += 1) {
      covered += weights[at]! * into.best[at]!
      byName += weights[at]! * into.named[at]!
    }
    let ofName = 0
    let nameWeight = 0
    for (let place = 0; place < name.length; place += 1) {
      const weight = Math.exp(documentWeights[name[place]!]!)
      ofName += weight * into.asked[place]!
      nameWeight += weight
    }
    into.coverage = covered / total
    into.byName = byName / total
    into.ofName = nameWeight > 0 ? ofName / nameWeight : 0
    into.nameWeight = nameWeight
    into.score = softScore(into)
  }

  /** Moves two tokens' vectors along the gradient of their cosine, and back to length 1. */
  function draw(token: number, other: number, gradient: number, rate: number): void {
    if (token === other) return
    // Rows have the length 1, so that this is the squared length of both gradients.
    const one = stepOf(token, gradient, rate)
    const two = stepOf(other, gradient, rate)
    const at = token * dimensions
    const otherAt = other * dimensions
    for (let i = 0; i < dimensions; i += 1) {
      const value = table[at + i]!
      const otherValue = table[otherAt + i]!
      table[at + i] = value - one * otherValue
      table[otherAt + i] = otherValue - two * value
    }
    toUnit(table, at, dimensions)
    toUnit(table, otherAt, dimensions)
  }

  function stepOf(token: number, gradient: number, rate: number): number {
    squares.table[token] = squares.table[token]! + gradient * gradient
    return (rate * gradient) / Math.sqrt(squares.table[token]!)
  }

  function learn(
    query: Uint32Array,
    total: number,
    { name }: MatchedCard,
    found: Match,
    gradient: number,
    rate: number,
  ): void {
    const { coverage, byName, ofName } = softScore.shares
    for (let at = 0; at < query.length; at += 1) {
      const token = query[at]!
      const share = weights[at]! / total
      const ofWeight =
        gradient *
        share *
        (coverage * (found.best[at]! - found.coverage) + byName * (found.named[at]! - found.byName))
      squares.query[token] = squares.query[token]! + ofWeight * ofWeight
      queryWeights[token] =
        queryWeights[token]! - (weightRate * rate * ofWeight) / Math.sqrt(squares.query[token]!)
      if (found.bestWith[at]! >= 0) draw(token, found.bestWith[at]!, gradient * coverage * share, rate)
      if (found.namedWith[at]! >= 0) draw(token, found.namedWith[at]!, gradient * byName * share, rate)
    }
    const shares = Array.from(name, (token) => Math.exp(documentWeights[token]!) / found.nameWeight)
    for (let place = 0; place < name.length; place += 1) {
      const token = name[place]!
      const share = shares[place]!
      const ofWeight = gradient * ofName * share * (found.asked[place]! - found.ofName)
      squares.document[token] = squares.document[token]! + ofWeight * ofWeight
      documentWeights[token] =
        documentWeights[token]! - (weightRate * rate * ofWeight) / Math.sqrt(squares.document[token]!)
      if (found.askedWith[place]! >= 0) draw(token, found.askedWith[place]!, gradient * ofName * share, rate)
    }
  }

  return {
    vectors: { dimensions, table, queryWeights, documentWeights },
    step(query, cards, rate) {
      let total = 0
      for (let at = 0; at < query.length; at += 1) {
        weights[at] = Math.exp(queryWeights[query[at]!]!)
        total += weights[at]!
      }
      while (matches.length < cards.length) matches.push(emptyMatch())
      let highest = Number.NEGATIVE_INFINITY
      for (const [place, card] of cards.entries()) {
        match(query, total, card, matches[place]!)
        highest = Math.max(highest, temperature * matches[place]!.score)
      }
      let sum = 0
      for (let place = 0; place < cards.length; place += 1)
        sum += Math.exp(temperature * matches[place]!.score - highest)
      const loss = highest + Math.log(sum) - temperature * matches[0]!.score
      let ofThreshold = 0
      for (const [place, card] of cards.entries()) {
        const found = matches[place]!
        const scaled = temperature * found.score
        const serves = place === 0 ? 1 : 0
        const among = Math.exp(scaled - highest) / sum - serves
        const alone = (sigmoid(scaled - threshold) - serves) * (serves === 1 ? 1 : othersShare)
        ofThreshold -= absoluteShare * alone
        const gradient = temperature * (among + absoluteShare * alone)
        if (Math.abs(gradient) >= least) learn(query, total, card, found, gradient, rate)
      }
      threshold -= thresholdRate * rate * ofThreshold
      return loss
    },
  }
}

const emptyMatch = (): Match => ({
  score: 0,
  coverage: 0,
  byName: 0,
  ofName: 0,
  nameWeight: 0,
  best: new Float32Array(mostQueryTokens),
  bestWith: new Int32Array(mostQueryTokens),
  named: new Float32Array(mostQueryTokens),
  namedWith: new Int32Array(mostQueryTokens),
  asked: new Float32Array(matchedLimits.name),
  askedWith: new Int32Array(matchedLimits.name),
})

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** In four sums, which a processor reckons side by side. */
function dot(table: Float32Array, at: number, otherAt: number, dimensions: number): number {
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  for (let i = 0; i < dimensions; i += 4) {
    one += table[at + i]! * table[otherAt + i]!
    two += table[at + i + 1]! * table[otherAt + i + 1]!
    three += table[at + i + 2]! * table[otherAt + i + 2]!
    four += table[at + i + 3]! * table[otherAt + i + 3]!
  }
  return one + two + three + four
}

function toUnit(table: Float32Array, at: number, dimensions: number): void {
  const squares = dot(table, at, at, dimensions)
  if (squares === 0) return
  const inverse = 1 / Math.sqrt(squares)
  for (let i = 0; i < dimensions; i += 1) table[at + i] = table[at + i]! * inverse
}
