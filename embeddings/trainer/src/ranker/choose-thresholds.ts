import {
  type EasedRequests,
  easedBy,
  isOfSort,
  type RequestSort,
  type VerdictThresholds,
} from '../../../../src/retrieval/rank/verdict-thresholds.ts'

/** What a model that had seen nothing of a request's family thinks of an answer to it. */
export type JudgedAnswer = RequestSort & {
  readonly family: string
  /** That anything serves. */
  readonly logOdds: number
  /** Whether the catalog held what serves. */
  readonly isServed: boolean
  /** Whether the catalog was one of another family. */
  readonly isForeign: boolean
}

/** How thresholds do on one family that was left out, shares of 0..1. */
export type FamilyVerdicts = {
  readonly family: string
  readonly served: number
  /** Of what is served, the share that is not told that nothing fits. */
  readonly answered: number
  readonly unserved: number
  /** Of what is not, though relatives of what would serve are there, the share that is. */
  readonly refused: number
  readonly foreign: number
  /** Of what was asked of a catalog of another family, the share that is. */
  readonly foreignRefused: number
}

type ChosenThresholds = {
  readonly thresholds: VerdictThresholds
  readonly families: readonly FamilyVerdicts[]
}

/** Families and sorts of requests with fewer served requests decide nothing. */
export const leastServed = 50
/** Shares of the served that are answered: of each left-out family, of their mean, and of each sort of request. */
const wanted = { family: 0.89, mean: 0.92, sort: 0.89 } as const
/** Of the served, the share that is told that the match is good, in the mean of the families. */
const wantedGood = 0.6
/** Levels that are tried, from what every family reaches without easing up to the median of the served. */
const steps = 100
/** Eased by less than this is not told apart. */
const leastEase = 0.1

/** Sorts of requests that may be eased. */
const sorts: readonly Omit<EasedRequests, 'by'>[] = [
  ...[
    { from: 0, below: 4 },
    { from: 4, below: 8 },
    { from: 8, below: 16 },
    { from: 16, below: 32 },
    { from: 32, below: 64 },
    { from: 64 },
  ].map((words) => ({ words })),
  ...[
    { from: 0, below: 100 },
    { from: 100, below: 1000 },
    { from: 1000, below: 10_000 },
    { from: 10_000 },
  ].map((cards) => ({ cards })),
  { kind: 'agent' },
]

/**
 * The thresholds that refuse most of what nothing serves, of those by which every left-out family is answered as it should
 * be, and their mean: the worst family decides. Sorts of requests that fall short by them are eased.
 */
export function chooseThresholds(answers: readonly JudgedAnswer[]): ChosenThresholds | null {
  const served = answers.filter(({ isServed }) => isServed)
  const families = groupsOf(served).filter((group) => group.length >= leastServed)
  if (families.length === 0) return null
  /** Log-odds with what the requests are eased by. */
  const eased = (list: readonly JudgedAnswer[], by: readonly EasedRequests[]): number[] =>
    list.map((answer) => answer.logOdds + easedBy({ eased: by }, answer)).sort((a, b) => a - b)
  const highest = (by: readonly EasedRequests[], shares: { family: number; mean: number }): number =>
    Math.min(
      ...families.map((family) => quantile(eased(family, by), 1 - shares.family)),
      meanQuantile(
        families.map((family) => eased(family, by)),
        1 - shares.mean,
      ),
    )
  const easedTo = (level: number): readonly EasedRequests[] =>
    sorts.flatMap((sort) => {
      const own = served.filter((answer) => isOfSort(sort, answer))
      if (own.length < leastServed) return []
      const short = level - quantile(eased(own, []), 1 - wanted.sort)
      return short < leastEase ? [] : [{ ...sort, by: short }]
    })
  const lowest = highest([], wanted)
  const top = quantile(eased(served, []), 0.5)
  const levels = Array.from({ length: steps }, (_, step) => lowest + ((step + 1) / steps) * (top - lowest))
  const refusedAt = (level: number): number => {
    const verdicts = familyVerdicts(answers, { none: level, eased: easedTo(level) })
    return verdicts.reduce((sum, { refused, foreignRefused }) => sum + refused + foreignRefused, 0)
  }
  // From the lowest on: of levels that refuse as much, the one that eases least.
  const none = levels
    .filter((level) => highest(easedTo(level), wanted) >= level)
    .map((level) => ({ level, refused: refusedAt(level) }))
    .reduce((best, one) => (one.refused > best.refused ? one : best), {
      level: lowest,
      refused: refusedAt(lowest),
    }).level
  const by = easedTo(none)
  const good = Math.max(
    none,
    meanQuantile(
      families.map((family) => eased(family, by)),
      1 - wantedGood,
    ),
  )
  const thresholds = { none, good, eased: by }
  return { thresholds, families: familyVerdicts(answers, thresholds) }
}

export function familyVerdicts(
  answers: readonly JudgedAnswer[],
  { none, eased }: Pick<VerdictThresholds, 'none' | 'eased'>,
): readonly FamilyVerdicts[] {
  const passes = (answer: JudgedAnswer): boolean => answer.logOdds >= none - easedBy({ eased }, answer)
  return groupsOf(answers).map((group) => {
    const served = group.filter(({ isServed }) => isServed)
    const unserved = group.filter(({ isServed, isForeign }) => !isServed && !isForeign)
    const foreign = group.filter(({ isForeign }) => isForeign)
    const refusedOf = (list: readonly JudgedAnswer[]): number =>
      list.length === 0 ? 0 : 1 - list.filter(passes).length / list.length
    return {
      family: group[0]!.family,
      served: served.length,
      answered: served.filter(passes).length / served.length,
      unserved: unserved.length,
      refused: refusedOf(unserved),
      foreign: foreign.length,
      foreignRefused: refusedOf(foreign),
    }
  })
}

function groupsOf(answers: readonly JudgedAnswer[]): readonly JudgedAnswer[][] {
  const groups = new Map<string, JudgedAnswer[]>()
  for (const answer of answers) {
    const known = groups.get(answer.family)
    if (known) known.push(answer)
    else groups.set(answer.family, [answer])
  }
  return [...groups.values()]
}

/** @param sorted - ascending, at least one */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!

/** The highest value below which, in the mean of the groups, no more than a share lies. */
function meanQuantile(groups: readonly (readonly number[])[], share: number): number {
  const below = (value: number): number =>
    groups.reduce((sum, group) => sum + group.filter((one) => one < value).length / group.length, 0) /
    groups.length
  const values = groups.flat().sort((a, b) => a - b)
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (below(values[middle]!) <= share) low = middle
    else high = middle - 1
  }
  return values[low]!
}
