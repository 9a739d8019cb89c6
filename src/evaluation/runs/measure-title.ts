import { measures } from '../measures/measures.ts'
import { isVerdictMeasure, verdictMeasures } from '../measures/verdict-measures.ts'

/** A measure as reports write it: `ndcg@10` is nDCG@10. A name that is not known stays as it is. */
export function measureTitle(name: string): string {
  if (isVerdictMeasure(name)) return verdictMeasures[name]
  const [stem = '', ...cutoff] = name.split('@')
  return [measures.find((measure) => measure.name === stem)?.title ?? stem, ...cutoff].join('@')
}
