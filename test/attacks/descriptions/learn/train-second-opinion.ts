import { seededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { OpinionHead } from '../../../../src/trust/scan/learned/second-opinion.ts'

/** A sentence as the reader has it, and what the model of sentences makes of it that has not learned from its author. */
export type NoticedSentence = {
  readonly rows: Float32Array
  readonly score: number
  readonly isAttack: boolean
}

export type OpinionSettings = {
  /** Values of a row. */
  readonly hidden: number
  readonly units: number
  readonly epochs: number
  readonly rate: number
  /** What an honest sentence counts for beside an attack. */
  readonly honestWeight: number
  /** How much of a label is doubted. */
  readonly doubt: number
  readonly seed: number
}

export const opinionSettings: OpinionSettings = {
  hidden: 384,
  units: 16,
  epochs: 3,
  rate: 2e-3,
  honestWeight: 3,
  doubt: 0.1,
  seed: 1,
}

const sentencesAtOnce = 128

/** Weights of units one after the other, their biases, their votes, a bias, and what the score counts for. */
type Parameters = Float32Array

/** What values of a row are, so that each counts alike in learning. */
type Usual = { readonly means: Float32Array; readonly deviations: Float32Array }

/** Learns a head by Adam. Deterministic: the same sentences and settings give the same head. */
export function trainOpinion(
  sentences: readonly NoticedSentence[],
  settings: OpinionSettings = opinionSettings,
): OpinionHead {
  const { units, hidden } = settings
  const usual = usualOf(sentences, hidden)
  const all = learned(sentences, usual, settings)
  const rounded = new Int8Array(units * hidden)
  const scales: number[] = []
  const biases: number[] = []
  for (let unit = 0; unit < units; unit++) {
    let bias = all[units * hidden + unit]!
    const weights = all.slice(unit * hidden, (unit + 1) * hidden).map((weight, at) => {
      bias -= (weight * usual.means[at]!) / usual.deviations[at]!
      return weight / usual.deviations[at]!
    })
    const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9) / 127
    rounded.set(
      weights.map((weight) => Math.round(weight / scale)),
      unit * hidden,
    )
    scales.push(short(scale))
    biases.push(short(bias))
  }
  const votes = [...all.subarray(units * (hidden + 1), units * (hidden + 2))].map(short)
  return { units: rounded, scales, biases, votes, bias: short(all[units * (hidden + 2)]!) }
}

const short = (value: number): number => Number(value.toPrecision(6))

function usualOf(sentences: readonly NoticedSentence[], hidden: number): Usual {
  const sums = new Float64Array(hidden)
  const squares = new Float64Array(hidden)
  let count = 0
  for (const { rows } of sentences)
    for (let row = 0; row < rows.length; row += hidden) {
      count += 1
      for (let at = 0; at < hidden; at++) {
        const value = rows[row + at]!
        sums[at]! += value
        squares[at]! += value * value
      }
    }
  const means = Float32Array.from(sums, (sum) => sum / count)
  const deviations = Float32Array.from(squares, (sum, at) => Math.sqrt(sum / count - means[at]! ** 2) + 1e-6)
  return { means, deviations }
}

function learned(sentences: readonly NoticedSentence[], usual: Usual, settings: OpinionSettings): Parameters {
  const { units, hidden, epochs, rate, seed } = settings
  const random = seededRandom(seed)
  const size = units * (hidden + 2) + 2
  const all = new Float32Array(size)
  const spread = (most: number): number => (random.below(2 ** 20) / 2 ** 19 - 1) * most
  for (let at = 0; at < units * hidden; at++) all[at] = spread(0.09)
  for (let at = units * (hidden + 1); at < units * (hidden + 2); at++) all[at] = spread(0.17)
  all[size - 1] = 1
  const [mean, square, slopes] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)]
  const order = Uint32Array.from(sentences.keys())
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random)
    for (let from = 0; from < order.length; from += sentencesAtOnce) {
      slopes.fill(0)
      const chosen = order.subarray(from, from + sentencesAtOnce)
      for (const at of chosen) addSlopes(sentences[at]!, { all, slopes, usual }, settings)
      step += 1
      const pace = rate * (1 - epoch / epochs) * (Math.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step))
      for (let at = 0; at < size; at++) {
        const slope = slopes[at]! / chosen.length
        mean[at] = 0.9 * mean[at]! + 0.1 * slope
        square[at] = 0.999 * square[at]! + 0.001 * slope * slope
        all[at]! -= (pace * mean[at]!) / (Math.sqrt(square[at]!) + 1e-8)
      }
    }
  }
  return all
}

function shuffle(order: Uint32Array, random: ReturnType<typeof seededRandom>): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const moved = order[at]!
    order[at] = order[other]!
    order[other] = moved
  }
}

type Learning = { readonly all: Parameters; readonly slopes: Float32Array; readonly usual: Usual }

/** Adds what one sentence asks of each parameter: of a unit, by the token that it answers to most. */
function addSlopes(
  { rows, score, isAttack }: NoticedSentence,
  { all, slopes, usual: { means, deviations } }: Learning,
  { units, hidden, doubt, honestWeight }: OpinionSettings,
): void {
  const values = rows.map((value, at) => (value - means[at % hidden]!) / deviations[at % hidden]!)
  const [biases, votes, last] = [units * hidden, units * (hidden + 1), units * (hidden + 2)]
  const heard = new Float32Array(units)
  const heardAt = new Uint32Array(units)
  let odds = all[last]! + all[last + 1]! * score
  for (let unit = 0; unit < units; unit++) {
    const own = unit * hidden
    for (let row = 0; row < values.length; row += hidden) {
      let sum = all[biases + unit]!
      for (let at = 0; at < hidden; at++) sum += values[row + at]! * all[own + at]!
      if (sum <= heard[unit]!) continue
      heard[unit] = sum
      heardAt[unit] = row
    }
    odds += heard[unit]! * all[votes + unit]!
  }
  const slope = (1 / (1 + Math.exp(-odds)) - (isAttack ? 1 - doubt : doubt)) * (isAttack ? 1 : honestWeight)
  for (let unit = 0; unit < units; unit++) {
    if (heard[unit] === 0) continue
    slopes[votes + unit]! += slope * heard[unit]!
    const each = slope * all[votes + unit]!
    const [own, row] = [unit * hidden, heardAt[unit]!]
    for (let at = 0; at < hidden; at++) slopes[own + at]! += each * values[row + at]!
    slopes[biases + unit]! += each
  }
  slopes[last]! += slope
  slopes[last + 1]! += slope * score
}
