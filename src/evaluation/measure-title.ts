import { measures } from './measures.ts'
import { answeredMeasure, refusalMeasure } from './query-outcome.ts'

/** A measure as reports write it: `ndcg@10` is nDCG@10. A name that is not known stays as it is. */
export function measureTitle(name: string): string {
  if (name === refusalMeasure) return 'Refusal'
  if (name === answeredMeasure) return 'Answered'
  const [stem = '', ...cutoff] = name.split('@')
  return [measures.find((measure) => measure.name === stem)?.title ?? stem, ...cutoff].join('@')
}
