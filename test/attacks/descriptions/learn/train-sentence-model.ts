import { featureCount } from '../../../../src/trust/scan/learned/features.ts'
import { type SentenceModel, shareOf } from '../../../../src/trust/scan/learned/sentence-model.ts'
import { seededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'

/** The windows of one text or card, each as the numbers of its features. */
export type Bag = readonly Uint32Array[]

export type SentenceCorpus = {
  /** In each at least one window is an attack, nobody said which. Bags without windows are passed over. */
  readonly attacks: readonly Bag[]
  /** Honest texts that look suspicious. */
  readonly honest: readonly Bag[]
  /** Windows of ordinary texts. */
  readonly ordinary: Bag
  /** 1 for each feature that gets a weight; without it all do. */
  readonly shared?: Uint8Array | undefined
}

export type SentenceSettings = {
  readonly epochs: number
  /** First step of AdaGrad. */
  readonly rate: number
  /** Pull of weights towards zero, each time a feature is met. */
  readonly decay: number
  /** What a window of an honest text counts for beside an attack, divided by the root of the number of its text's windows. */
  readonly honestWeight: number
  readonly ordinaryWeight: number
  /** How often the window of each attack that counts is chosen anew. */
  readonly choices: number
  /** So many runs, each with an order of its own, are averaged. */
  readonly runs: number
  /** How much of a label is doubted: an attack is learned as `1 - doubt`, another text as `doubt`. */
  readonly doubt: number
}

export const sentenceSettings: SentenceSettings = {
  epochs: 4,
  rate: 0.3,
  decay: 1e-6,
  honestWeight: 4,
  ordinaryWeight: 1,
  choices: 1,
  runs: 3,
  doubt: 0.1,
}

/** Weights as they are learned. */
export type LearnedWeights = { readonly weights: Float32Array; readonly bias: number }

type Row = { readonly features: Uint32Array; readonly isAttack: boolean; readonly weight: number }

/**
 * Learns which windows are attacks, where it is known of whole texts only: at first every window of an attack counts a part, then
 * only the one that the model so far finds worst. Deterministic: the same corpus and settings give the same weights.
 */
export function trainSentenceModel(
  corpus: SentenceCorpus,
  settings: SentenceSettings = sentenceSettings,
): LearnedWeights {
  const runs = Array.from({ length: settings.runs }, (_, run) => trainOnce(corpus, settings, run + 1))
  const weights = new Float32Array(featureCount)
  for (const run of runs)
    for (let at = 0; at < featureCount; at++) weights[at]! += run.weights[at]! / runs.length
  return { weights, bias: runs.reduce((sum, { bias }) => sum + bias, 0) / runs.length }
}

function trainOnce(
  { attacks, honest, ordinary, shared }: SentenceCorpus,
  settings: SentenceSettings,
  seed: number,
): LearnedWeights {
  const harmless: readonly Row[] = [
    ...honest.flatMap((bag) => {
      const weight = settings.honestWeight / Math.sqrt(bag.length)
      return bag.map((features): Row => ({ features, isAttack: false, weight }))
    }),
    ...ordinary.map((features): Row => ({ features, isAttack: false, weight: settings.ordinaryWeight })),
  ]
  let harmful: readonly Row[] = attacks.flatMap((bag) =>
    bag.map((features): Row => ({ features, isAttack: true, weight: 1 / bag.length })),
  )
  let learned = regression({ rows: [...harmful, ...harmless], shared }, settings, seed)
  for (let choice = 0; choice < settings.choices; choice++) {
    harmful = attacks.flatMap((bag): Row[] => {
      const features = worstOf(learned, bag)?.features
      return features === undefined ? [] : [{ features, isAttack: true, weight: 1 }]
    })
    learned = regression({ rows: [...harmful, ...harmless], shared }, settings, seed)
  }
  return learned
}

/** Logarithm of the odds that a window is an attack. */
export function learnedScore({ weights, bias }: LearnedWeights, features: Uint32Array): number {
  let sum = 0
  for (let at = 0; at < features.length; at++) sum += weights[features[at]!]!
  return bias + sum * shareOf(features.length)
}

/** The window with the highest score, the first of equals; undefined without windows. */
export function worstOf(
  learned: LearnedWeights,
  bag: Bag,
): { readonly features: Uint32Array; readonly score: number } | undefined {
  let worst: { readonly features: Uint32Array; readonly score: number } | undefined
  for (const features of bag) {
    const score = learnedScore(learned, features)
    if (worst === undefined || score > worst.score) worst = { features, score }
  }
  return worst
}

/** Steps smaller than this change nothing that lasts. */
const leastStep = 1e-4

/** Logistic regression by AdaGrad, rows in an order drawn anew for each epoch. */
function regression(
  { rows, shared }: { readonly rows: readonly Row[] } & Pick<SentenceCorpus, 'shared'>,
  { epochs, rate, decay, doubt }: SentenceSettings,
  seed: number,
): LearnedWeights {
  const weights = new Float32Array(featureCount)
  const squares = new Float32Array(featureCount).fill(0.01)
  const random = seededRandom(seed)
  const order = Uint32Array.from(rows.keys())
  let bias = -2
  let biasSquares = 1
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = random.below(at + 1)
      const moved = order[at]!
      order[at] = order[other]!
      order[other] = moved
    }
    for (const at of order) {
      const { features, isAttack, weight } = rows[at]!
      const odds = learnedScore({ weights, bias }, features)
      const step = (1 / (1 + Math.exp(-odds)) - (isAttack ? 1 - doubt : doubt)) * weight
      if (Math.abs(step) < leastStep) continue
      const each = step * shareOf(features.length)
      for (const feature of features) {
        if (shared?.[feature] === 0) continue
        const slope = each + decay * weights[feature]!
        squares[feature]! += slope * slope
        weights[feature]! -= (rate * slope) / Math.sqrt(squares[feature]!)
      }
      biasSquares += step * step
      bias -= (rate * step) / Math.sqrt(biasSquares)
    }
  }
  return { weights, bias }
}

/** Steps of a weight to either side of zero: more of them make the file larger and change no score that counts. */
const levels = 31

/** Weights in so many steps; those beyond the range of all but one in ten thousand are cut. */
export function quantised({ weights, bias }: LearnedWeights): SentenceModel {
  const magnitudes = weights
    .map(Math.abs)
    .filter((magnitude) => magnitude > 0)
    .sort()
  const most = magnitudes[Math.floor(magnitudes.length * 0.9999)] ?? 1
  const scale = most / levels
  const clamp = (value: number): number => Math.max(-levels, Math.min(levels, Math.round(value / scale)))
  return { weights: Int8Array.from(weights, clamp), scale, bias }
}

/** 1 for each feature that texts of two authors have at least: what one alone says tells the author, not the attack. */
export function sharedFeatures(texts: readonly { readonly author: string; readonly bag: Bag }[]): Uint8Array {
  const numbers = new Map(
    [...new Set(texts.map(({ author }) => author))].map((author, at) => [author, at + 1]),
  )
  const first = new Uint8Array(featureCount)
  const shared = new Uint8Array(featureCount)
  for (const { author, bag } of texts) {
    const own = numbers.get(author)!
    for (const features of bag)
      for (const feature of features) {
        if (first[feature] === 0) first[feature] = own
        else if (first[feature] !== own) shared[feature] = 1
      }
  }
  return shared
}
