import type { Comparison, Estimate, EvaluationRun } from '../evaluation-run.ts'

/**
 * A value of a measure as people read it, on every surface: times 100, with one decimal, as the field prints nDCG.
 * JSON and run files hold the value itself.
 *
 * @param value - 0..1, rank correlations -1..1; differences, too
 * @returns a dash where nothing was measured
 */
export const perCent = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '–' : (100 * value).toFixed(1).replace(/^-0\.0$/, '0.0')

/** A difference in points, with its sign, which a value too small to show has not; a true minus, so that columns align. */
export function signed(value: number): string {
  const size = perCent(Math.abs(value))
  return `${Number(size) === 0 ? '±' : value > 0 ? '+' : '−'}${size}`
}

/** What a change is called, and coloured as. */
export const toneOf = (change: number): 'worse' | 'better' | 'same' =>
  change < 0 ? 'worse' : change > 0 ? 'better' : 'same'

/** `[60.1, 63.4]`. */
export const interval = ({ low, high }: Pick<Estimate, 'low' | 'high'>): string =>
  `[${perCent(low)}, ${perCent(high)}]`

/** The interval of a difference: `[−3.8, +1.7]`. */
export const signedInterval = ({ low, high }: Pick<Estimate, 'low' | 'high'>): string =>
  `[${signed(low)}, ${signed(high)}]`

/** A p-value: three decimals, or `<0.001`. */
export const probability = (p: number): string => (p < 0.001 ? '<0.001' : p.toFixed(3))

/** A whole number with thousands marked. */
export const counted = (count: number): string => Math.round(count).toLocaleString('en-US')

/** A share of a whole, in per cent. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`

/** A time, in the unit that reads best; number and unit stay on one line. */
export function duration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return '–'
  if (milliseconds < 10) return `${milliseconds.toFixed(2)} ms`
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 90_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}

/** Three digits, whatever the size. */
export const threeDigits = (value: number): string => String(Number(value.toPrecision(3)))

/**
 * How both runs did by one measure in one part, or over all (`wholeRow`), over the queries that both have: a baseline's
 * own means are over other queries when only some were run again.
 */
export const pairedRow = (
  comparison: Comparison | undefined,
  part: string,
  measure: string,
): Comparison['rows'][number] | undefined =>
  comparison?.rows.find((row) => row.part === part && row.measure === measure)

/** The measure a run is known by: the first it lists. */
export const headlineOf = (run: Pick<EvaluationRun, 'measures'>): string => run.measures[0] ?? ''
