/**
 * A value of a measure as people read it, on every surface: times 100, with one decimal, as the field prints nDCG.
 * JSON and run files hold the value itself.
 *
 * @param value - 0..1, rank correlations -1..1; differences, too
 * @returns a dash where nothing was measured
 */
export const perCent = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '–' : (100 * value).toFixed(1).replace(/^-0\.0$/, '0.0')
