export type BoostingSettings = {
  /** Trees at most; early stopping may keep fewer. Integer >= 1. @defaultValue 300 */
  readonly trees: number
  /** Leaves of a tree at most. Integer of 2..255. @defaultValue 16 */
  readonly leaves: number
  /** Steps from the root to a leaf at most; bounds the time of scoring. Integer >= 1. @defaultValue 5 */
  readonly depth: number
  /** Shrinks each tree's values. 0..1, not 0. @defaultValue 0.1 */
  readonly learningRate: number
  /** Training rows that a leaf needs. Integer >= 1. @defaultValue 50 */
  readonly minimumRows: number
  /** Share of the features that a tree may ask, drawn per tree; at least one. 0..1, not 0. @defaultValue 1 */
  readonly featureFraction: number
  /** Share of the queries that a tree learns from, drawn per tree; at least one. 0..1, not 0. @defaultValue 1 */
  readonly rowFraction: number
  /** Added to the sum of second derivatives: draws the values of small leaves to 0. >= 0. @defaultValue 1 */
  readonly lambdaL2: number
  /** The k of the nDCG@k that the ranking objective raises. Integer >= 1. @defaultValue 20 */
  readonly truncation: number
  /** Groups that a feature's values are cut into; missing values have one more. Integer of 2..255. @defaultValue 255 */
  readonly bins: number
  /** Per feature 1: the score never falls when the value grows; -1: never rises; 0: free. @defaultValue all free */
  readonly monotone: readonly (-1 | 0 | 1)[]
  /** With validation rows: training stops after so many trees without a better measure. Integer >= 1. @defaultValue 30 */
  readonly patience: number
  /** The same rows, settings and seed give the same model, bit by bit. @defaultValue 1 */
  readonly seed: number
}

const defaults: BoostingSettings = {
  trees: 300,
  leaves: 16,
  depth: 5,
  learningRate: 0.1,
  minimumRows: 50,
  featureFraction: 1,
  rowFraction: 1,
  lambdaL2: 1,
  truncation: 20,
  bins: 255,
  monotone: [],
  patience: 30,
  seed: 1,
}

type Range = { readonly isAllowed: (value: number) => boolean; readonly words: string }

const integer = (least: number, most = Number.MAX_SAFE_INTEGER): Range => ({
  isAllowed: (value) => Number.isSafeInteger(value) && value >= least && value <= most,
  words:
    most === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${least}`
      : `an integer of ${least} to ${most}`,
})
const share: Range = { isAllowed: (value) => value > 0 && value <= 1, words: 'above 0 and at most 1' }

const ranges: { readonly [name in Exclude<keyof BoostingSettings, 'monotone'>]: Range } = {
  trees: integer(1),
  leaves: integer(2, 255),
  depth: integer(1),
  learningRate: share,
  minimumRows: integer(1),
  featureFraction: share,
  rowFraction: share,
  lambdaL2: { isAllowed: (value) => value >= 0 && value < Number.POSITIVE_INFINITY, words: '0 or more' },
  truncation: integer(1),
  bins: integer(2, 255),
  patience: integer(1),
  seed: integer(Number.MIN_SAFE_INTEGER),
}

/**
 * Fills in the defaults.
 *
 * @param features - number of features, which `monotone` must match when it is given
 * @throws Error for a value out of its range; the message names the setting
 */
export function boostingSettings(given: Partial<BoostingSettings>, features: number): BoostingSettings {
  const settings = { ...defaults, ...given }
  for (const [name, range] of Object.entries(ranges)) {
    const value = settings[name as keyof typeof ranges]
    if (!range.isAllowed(value)) throw new Error(`${name} is ${value}; it must be ${range.words}.`)
  }
  const { monotone } = settings
  if (monotone.length === 0) return { ...settings, monotone: new Array<0>(features).fill(0) }
  if (monotone.length !== features)
    throw new Error(`monotone has ${monotone.length} entries for ${features} features.`)
  const wrong = monotone.find((direction) => ![-1, 0, 1].includes(direction))
  if (wrong !== undefined) throw new Error(`monotone has the entry ${wrong}; each must be 1, 0 or -1.`)
  return settings
}
