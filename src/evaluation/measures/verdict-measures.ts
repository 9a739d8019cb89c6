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
