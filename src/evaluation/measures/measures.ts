import type { Ranking } from '../../domain/ranking.ts'
import { averagePrecision, reciprocalRank, top1Match } from './first-relevant.ts'
import { completeness, f1, hit, precision, recall, rPrecision } from './hits.ts'
import { kendallTau, spearman } from './correlations.ts'
import type { Judgements, Measure } from './measure.ts'
import { binaryNdcg, exponentialNdcg, ndcg } from './ndcg.ts'

/** Every measure, in the order of the documentation. A new one stands in a file of its own or beside its like, and has a line here. */
export const measures: readonly Measure[] = [
  ndcg,
  binaryNdcg,
  exponentialNdcg,
  precision,
  recall,
  f1,
  hit,
  reciprocalRank,
  averagePrecision,
  rPrecision,
  completeness,
  kendallTau,
  spearman,
  top1Match,
]

/** A measure with its cutoff, ready to be taken. */
export type NamedMeasure = {
  /** As in JSON: `ndcg@10`, `map`. */
  readonly name: string
  /** As in reports: `nDCG@10`, `MAP`. */
  readonly title: string
  readonly explanation: string
  /** Never NaN. 0..1, or -1..1 for rank correlations. */
  evaluate(ranking: Ranking, judgements: Judgements): number
  /** False for queries that belong in no mean of this measure; see {@link Measure}. */
  appliesTo(judgements: Judgements): boolean
}

/**
 * The measure that a name such as `ndcg@10` or `map` stands for. Case does not matter: `nDCG@10` is `ndcg@10`.
 *
 * @throws Error that lists the known measures, or says what is wrong with the cutoff
 */
export function measureNamed(text: string): NamedMeasure {
  const [, stem = '', cutoff] = /^([^@]*)(?:@(.*))?$/s.exec(text.trim().toLowerCase()) ?? []
  const measure = measures.find(({ name }) => name === stem)
  if (measure === undefined) throw new Error(`No measure "${text}". Known: ${knownMeasures.join(', ')}.`)
  if (cutoff !== undefined && measure.cutoff === 'none')
    throw new Error(`Measure "${text}": "${stem}" takes no cutoff. Write ${stem}.`)
  if (cutoff !== undefined && !/^[1-9]\d{0,5}$/.test(cutoff))
    throw new Error(
      `Measure "${text}": the cutoff must be a whole number from 1. Write for example ${stem}@10.`,
    )
  const k = cutoff === undefined ? Number.POSITIVE_INFINITY : Number(cutoff)
  const at = cutoff === undefined ? '' : `@${cutoff}`
  return {
    name: stem + at,
    title: measure.title + at,
    explanation: measure.explanation,
    evaluate: (ranking, judgements) => measure.at(ranking, judgements, k),
    appliesTo: (judgements) => measure.appliesTo?.(judgements) ?? true,
  }
}

/** As one would write them, k standing for any cutoff. */
const knownMeasures = measures.map(({ name, cutoff }) => (cutoff === 'none' ? name : `${name}@k`))

/**
 * Measures of the verdict on an answer, not of its ranking; of each query one at most, 0 or 1:
 * `refusal`: nothing serves the query by its labels, and the answer says that nothing fits;
 * `answered`: something serves it, and the answer offers something (in runs that ask every query twice);
 * `refused-absent`: it was asked without what serves it, and the answer says that nothing fits.
 */
export const verdictMeasures = {
  answered: 'Answered (tool there)',
  refusal: '"Nothing fits" (no tool)',
  'refused-absent': '"Nothing fits" (tool removed)',
} as const

export type VerdictMeasure = keyof typeof verdictMeasures

export const isVerdictMeasure = (name: string): name is VerdictMeasure => Object.hasOwn(verdictMeasures, name)

/** A measure as reports write it: `ndcg@10` is nDCG@10. A name that is not known stays as it is. */
export function measureTitle(name: string): string {
  if (isVerdictMeasure(name)) return verdictMeasures[name]
  const [stem = '', ...cutoff] = name.split('@')
  return [measures.find((measure) => measure.name === stem)?.title ?? stem, ...cutoff].join('@')
}
